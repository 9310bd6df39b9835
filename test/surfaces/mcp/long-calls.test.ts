/** Calls that take long: a client is told how far they have come, and can let them go. */
import type { Progress } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Application, Invocation } from "../../../src/core/application.ts";
import { maintained } from "../../project/maintenance.ts";
import { freshOwner } from "../../support/acting.ts";
import { askMcp } from "../../support/mcp.ts";
import { mcpClient, NEWEST, revisions } from "../../support/mcp-client.ts";
import { openWorld, type World } from "../../support/world.ts";
import { contextAnswer, rememberAnswer } from "./answers.ts";
import { world as stubbed } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A project with so many memories that have expired, and how a run over them is called. */
async function overdue(count: number) {
  const ada = await world.client({ owner: freshOwner() });
  const ours = maintained(ada, world);
  const items = Array.from({ length: count }, (_, at) => ({
    content: `Note number ${at} of the overdue ones.`,
    path: "notes",
    project_id: ours.project,
  }));
  await ada.post("/v1/memories/batch", { items });
  await world.service
    .sql`update memories set expires_at = now() - interval '1 minute' where owner_id = ${ada.ownerId}`;
  const input = { project_id: ours.project, actions: ["expire_overdue"], confirm_all_matching: true };
  return { ada, call: { name: "maintenance_execute", arguments: input } };
}

describe.each(revisions)("in %s", (revision) => {
  test("a client that asks is told how far a run has come, batch by batch, and then answered", async () => {
    const { ada, call } = await overdue(120);
    const client = await mcpClient(world, { ...ada, revision });
    const told: Progress[] = [];
    const answer = await client.callTool(call, { onprogress: (progress) => told.push(progress) });
    expect(answer.structuredContent).toMatchObject({ actions: [{ matched: 120, changed: 120 }] });
    expect(told).toMatchObject([
      { progress: 50, total: 120 },
      { progress: 100, total: 120 },
      { progress: 120, total: 120 },
    ]);
  });

  test("a call that its client lets go is rejected there, and carried out where it changes something", async () => {
    const { letGo } = await slow(revision);
    expect(await letGo("remember", { content: "x", path: "p" })).toEqual(rememberAnswer);
  });
});

test("a reading that its client lets go is called off: in the newest revision that closes the answer", async () => {
  const { letGo } = await slow(NEWEST);
  expect(await letGo("recall_context", { query: "q" })).toMatchObject({
    issues: [{ type: "request_called_off" }],
  });
});

/** A client of a service whose every work takes a while, and how it lets a call go: answers what became of the work. */
async function slow(revision: string) {
  let begin: (work: { readonly became: Promise<unknown> }) => void = () => {};
  const begun = new Promise<{ readonly became: Promise<unknown> }>((resolve) => {
    begin = resolve;
  });
  const work = async (name: string, { pace }: Invocation) => {
    for (let pieces = 0; pieces < 20; pieces++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await pace?.pause();
    }
    return name === "remember" ? rememberAnswer : contextAnswer("ada");
  };
  const application = {
    call(name: string, _caller: unknown, _input: unknown, invocation: Invocation) {
      const done = work(name, invocation);
      begin({ became: done.catch((error: unknown) => error) });
      return done;
    },
  } as unknown as Application;
  const client = await stubbed(undefined, { application }).connect("key-ada", { revision });
  return {
    async letGo(name: string, input: Record<string, unknown>) {
      const controller = new AbortController();
      const called = client.callTool({ name, arguments: input }, { signal: controller.signal });
      const { became } = await begun;
      controller.abort();
      await expect(called).rejects.toThrow();
      return became;
    },
  };
}

test("nobody is told who does not ask", async () => {
  const { ada, call } = await overdue(60);
  const { status, answer } = await askMcp(world, ada.token, "tools/call", call);
  expect(status).toBe(200);
  expect(answer.result.structuredContent).toMatchObject({ actions: [{ changed: 60 }] });
});

test("to cancel a call by a message is taken note of, whichever call it was", async () => {
  const { ada } = await overdue(1);
  const response = await world.handle(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${ada.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }),
    }),
  );
  expect(response.status).toBe(202);
});
