import { expect } from "vitest";
import { operationList } from "../../src/contract/operations.ts";
import { unguessable } from "../support/acting.ts";
import type { Answer, Client } from "../support/world.ts";

type Body = Record<string, unknown>;
type Acting = Pick<Client, "get" | "post" | "patch" | "delete">;

/** A project that no other test has. */
export function freshProject(): string {
  return unguessable("project-");
}

/** One project's todos and decisions as an agent works with them; without an agent, as the credential alone. */
export function workspaceOf(client: Acting, project: string, agent: string | null = null) {
  const headers: Record<string, string> = agent === null ? {} : { "x-agent-id": agent };
  const base = `/v1/projects/${project}`;
  const item = (item: "todo" | "decision") => {
    const at = (id: string) => `${base}/${item}s/${id}`;
    return {
      read: (id: string) => client.get(at(id), headers),
      correct: (id: string, body: Body, more: Record<string, string> = {}) =>
        client.patch(at(id), body, { ...headers, ...more }),
      remove: (id: string, query = "", more: Record<string, string> = {}) =>
        client.delete(`${at(id)}${query}`, { ...headers, ...more }),
      restore: (id: string) => client.post(`${at(id)}/restore`, undefined, headers),
    };
  };
  return {
    /** What is done alike with a todo and a decision. */
    item,
    todo: (body: Body = {}) =>
      client.post(`${base}/todos`, { content: "Rotate the keys.", ...body }, headers),
    todos: (query = "") => client.get(`${base}/todos${query}`, headers),
    act: (id: string, operation: string, body?: Body, more: Record<string, string> = {}) =>
      client.post(`${base}/todos/${id}/${operation}`, body, { ...headers, ...more }),
    decision: (body: Body = {}) =>
      client.post(`${base}/decisions`, { context: "Which database?", ...body }, headers),
    decisions: (query = "") => client.get(`${base}/decisions${query}`, headers),
    decide: (id: string, operation: string, body?: Body, more: Record<string, string> = {}) =>
      client.post(`${base}/decisions/${id}/${operation}`, body, { ...headers, ...more }),
  };
}

export type WorkspaceClient = ReturnType<typeof workspaceOf>;

/** The body of an answer that must be a 200. */
export async function ok(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** A whole list, by its parts: each goes on after the one before, as its header says. */
export async function wholeList<T = Body>(list: (query: string) => Promise<Answer>) {
  const whole: T[] = [];
  let parts = 0;
  for (let cursor: string | null = ""; cursor !== null; parts += 1) {
    const answer = await list(cursor === "" ? "" : `?cursor=${cursor}`);
    const part = await ok(Promise.resolve(answer));
    expect(part.length + parts).toBeGreaterThan(0);
    whole.push(...part);
    cursor = answer.headers.get("x-recollect-next-cursor");
  }
  return { whole, parts };
}

/** The words of a todo or decision. */
export function saying(item: "todo" | "decision", text: string): Body {
  return item === "todo" ? { content: text } : { context: text };
}

/** These members as far as the step takes them: others that name somebody are refused. */
export function takenBy(item: "todo" | "decision", step: string, members: Body): Body {
  const name = step + (item === "todo" ? "Todo" : "Decision");
  const operation = operationList.find((one) => one.name === name);
  if (!operation) throw new Error(`the contract has no ${name}`);
  const takes = Object.keys(operation.input.shape);
  return Object.fromEntries(Object.entries(members).filter(([member]) => takes.includes(member)));
}

/** What an operation needs besides the id. */
export const NEEDS: Readonly<Record<string, Body | undefined>> = {
  assign: { assignee_agent_id: "b" },
  block: { reason: "waiting for the vault" },
  resolve: { resolution: "Postgres." },
  supersede: { context: "Which database, again?" },
};
