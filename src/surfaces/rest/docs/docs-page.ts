import { createHash } from "node:crypto";
import { errorCodes } from "../../../contract/error.ts";
import type { Answer } from "../../http/pipeline.ts";
import type { OpenApi } from "../openapi/types.ts";
import { Html, html, inline, prose } from "./html.ts";
import { methodMark, operationSection, type Placed } from "./operation-section.ts";
import { memberRows, memberTable, typeOf, valuesNote } from "./schema-table.ts";
import { style } from "./style.ts";

/** The page that explains the API to people, written from the same document that machines read. No script, no CDN. */
export function docsPage(document: OpenApi): Answer {
  const styleHash = createHash("sha256").update(style).digest("base64");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    body: page(document).text,
  };
}

function page(document: OpenApi): Html {
  const { title, version, summary } = document.info;
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: `group-${tag.name.toLowerCase()}`,
    placed: under(document, tag.name),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<meta name="description" content="${summary}">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
<nav aria-label="Operations">
  <p class="name">${title}</p>
  <ul><li><a href="#start">Start here</a></li><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul>
  ${groups.map(
    ({ id, name, placed }) =>
      html`<p class="group" id="nav-${id}">${name}</p><ul aria-labelledby="nav-${id}">${placed.map(
        ({ method, operation }) =>
          html`<li><a href="#${operation.operationId}">${methodMark(method)} <span>${operation.summary}</span></a></li>`,
      )}</ul>`,
  )}
</nav>
<main id="content" tabindex="-1">
  <h1>${title} API</h1>
  <p class="lead">${summary}. Version ${version}. For machines: <a href="/openapi.json">openapi.json</a>.</p>
  ${start(document)}
  ${groups.map(
    ({ id, name, description, placed }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
    <p>${inline(description)}</p>
    ${placed.map((one) => operationSection(document, one))}</section>`,
  )}
  ${errors()}
  ${schemas(document)}
</main>
</div>
</body>
</html>
`;
}

function under(document: OpenApi, tag: string): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function start(document: OpenApi): Html {
  const [, ...paragraphs] = document.info.description.split("\n\n");
  const shared = Object.values(document.components.parameters).map((parameter) => ({
    name: parameter.name,
    schema: parameter.schema,
    isRequired: false,
    description: parameter.description,
  }));
  return html`<section aria-labelledby="start"><h2 id="start">Start here</h2>
    ${prose(paragraphs.join("\n\n"))}
    <p>These headers may accompany any operation; <code>Idempotency-Key</code> only a
    <code>POST</code> that says so.</p>
    ${memberTable("Headers of every operation", shared)}
  </section>`;
}

function errors(): Html {
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
    <p>A refusal is <code>{"detail": …, "code": …}</code>. Decide by the code; the detail is for people. For
    <code>validation_failed</code> the detail lists each failed rule with its place, message and kind.</p>
    <div class="table" role="group" tabindex="0" aria-label="Machine codes"><table>
      <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${Object.entries(errorCodes).map(
        ([code, { status, title }]) =>
          html`<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${title}</td></tr>`,
      )}</tbody></table></div>
  </section>`;
}

function schemas(document: OpenApi): Html {
  const named = Object.entries(document.components.schemas).sort(([a], [b]) => a.localeCompare(b, "en"));
  return html`<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
    ${named.map(([name, schema]) => {
      const rows = memberRows(schema);
      return html`<article class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title">
        <h3 id="schema-${name}-title">${name}</h3>
        ${rows.length > 0 ? memberTable(`Members of ${name}`, rows) : html`<p>${typeOf(schema)} ${valuesNote(schema)}</p>`}
      </article>`;
    })}
  </section>`;
}
