/** Public pages that other surfaces show: the start page and error pages. They read no account. */
import { SKILL_DOCUMENT_PATH } from "../../contract/discovery.ts";
import { SERVICE_NAME, SERVICE_VERSION } from "../../contract/service.ts";
import { html } from "../http/html.ts";
import type { Answer } from "../http/pipeline.ts";
import type { PublicPages } from "../http/public-pages.ts";
import { errorPage } from "./error-pages.ts";
import { answerOf, PAGE_HEADERS, type PageReply } from "./page.ts";
import { anonymous } from "./visit.ts";

export const publicPages: PublicPages = {
  start: () => sent(startPage()),
  refused: (error, requestId) =>
    sent(
      errorPage(
        error,
        requestId,
        html`<a href="/">To the start page</a> or <a href="/docs">the documents</a>`,
      ),
    ),
};

function sent(page: PageReply): Answer {
  const { headers, ...answer } = answerOf(page, { page: anonymous, cookies: [] });
  return { ...answer, headers: { ...headers, ...PAGE_HEADERS, vary: "accept" } };
}

function startPage(): PageReply {
  return {
    status: 200,
    title: "Start",
    body: html`<h1>${SERVICE_NAME} is running</h1>
    <p class="lead">The memory service for AI agents, version ${SERVICE_VERSION}.</p>
    <ul class="cards">
      <li class="card"><h2 class="first"><a href="/admin">Admin UI</a></h2>
        <p>See, correct and tidy what your agents remember, and decide who may use it.</p></li>
      <li class="card"><h2 class="first"><a href="/docs">Documents</a></h2>
        <p>The tutorial, and the reference of every operation.</p></li>
      <li class="card"><h2 class="first"><a href="${SKILL_DOCUMENT_PATH}">Instructions for agents</a></h2>
        <p>What an agent with nothing but HTTP reads to begin on its own.</p></li>
    </ul>
    <p class="hint">An MCP client needs only this address with <code>/mcp</code> at its end; programs use
    <code>/v1</code>, described in <a href="/openapi.json">OpenAPI</a>.</p>`,
  };
}
