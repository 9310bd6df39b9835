/** Calls that take long: a client is told how far they have come, and can let them go. */
import type { Progress } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Application, Invocation } from "../../../src/core/application.ts";
import { maintained } from "../../project/maintenance.ts";
import { freshOwner } from "../../support/acting.ts";
import { askMcp } from "../../support/mcp.ts";
import { mcpClient, ONE_BEFORE, revisions } from "../../support/mcp-client.ts";
import { eventually } from "../../support/processes.ts";
import { openWorld, type World } from "../../support/world.ts";
import { promisedAt } from "../parity-doors.ts";
import { contextAnswer, rememberAnswer } from "./answers.ts";
import { world as stubbed } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A project with so many memories. */
async function workspace(count: number) {
  const ada = await world.client({ owner: freshOwner() });
  const { project } = maintained(ada, world);
  for (let from = 0; from < count; from += 500) {
    const items = Array.from({ length: Math.min(500, count - from) }, (_, at) => ({
      content: `Note number ${from + at} of the project.`,
      path: "notes",
      project_id: project,
    }));
    await ada.post("/v1/memories/batch", { items });
  }
  return { ada, project };
}

/** A project with so many memories that have expired, and how a run over them is called. */
async function overdue(count: number) {
  const { ada, project } = await workspace(count);
  await world.service
    .sql`update memories set expires_at = now() - interval '1 minute' where owner_id = ${ada.ownerId}`;
  const input = { project_id: project, actions: ["expire_overdue"], confirm_all_matching: true };
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

  test("a client that asks is told how far a report has come, in the two steps that each memory has", async () => {
    const { ada, project } = await workspace(150);
    const client = await mcpClient(world, { ...ada, revision });
    const told: Progress[] = [];
    const call = { name: "maintenance_report", arguments: { project_id: project } };
    const answer = await client.callTool(call, { onprogress: (progress) => told.push(progress) });
    expect(answer.structuredContent).toMatchObject({ scanned: 150 });
    expect(told).toMatchObject([
      { progress: 200, total: 300 },
      { progress: 300, total: 300 },
    ]);
  });

  test("a client that asks is told how much has been read where an index has to be built first, and then nothing", async () => {
    const { ada } = await workspace(1300);
    const client = await mcpClient(world, { ...ada, revision });
    const told: Progress[] = [];
    const recall = () =>
      client.callTool(
        { name: "recall_context", arguments: { query: "Which note is number 7?" } },
        { onprogress: (progress) => told.push(progress) },
      );
    expect((await recall()).isError).not.toBe(true);
    // Nobody knows of how many before they have been read.
    expect(told).toEqual([{ progress: 1000 }, { progress: 1300 }]);
    await recall();
    expect(told).toHaveLength(2);
  });

  test("a reading that its client lets go is called off", async () => {
    const { letGo } = await slow(revision);
    expect(await letGo("recall_context", { query: "q" })).toMatchObject({
      issues: [{ type: "request_called_off" }],
    });
  });

  test("a call that its client lets go is rejected there, and carried out where it changes something", async () => {
    const { letGo } = await slow(revision);
    expect(await letGo("remember", { content: "x", path: "p" })).toEqual(rememberAnswer);
  });
});

test("neither is called off where two clients that cannot be told apart have the same number on the way", async () => {
  const { begin, works } = await slowService();
  const ways = [await begin(ONE_BEFORE), await begin(ONE_BEFORE)];
  const answers = ways.map((call) => call("recall_context", { query: "q" }));
  await eventually("both to begin", () => (works.length === 2 ? true : undefined));
  answers[0]?.controller.abort();
  await expect(answers[0]?.called).rejects.toThrow();
  expect(await Promise.all(works)).toEqual([contextAnswer("ada"), contextAnswer("ada")]);
  expect((await answers[1]?.called)?.structuredContent).toEqual(
    promisedAt("MCP", "recallContext", contextAnswer("ada")),
  );
});

/** A service whose every work takes a while, with what became of each, and clients of it. */
async function slowService() {
  const works: Promise<unknown>[] = [];
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
      works.push(done.catch((error: unknown) => error));
      return done;
    },
  } as unknown as Application;
  const service = stubbed(undefined, { application });
  return {
    works,
    async begin(revision: string) {
      const client = await service.connect("key-ada", { revision });
      return (name: string, input: Record<string, unknown>) => {
        const controller = new AbortController();
        return {
          controller,
          called: client.callTool({ name, arguments: input }, { signal: controller.signal }),
        };
      };
    },
  };
}

/** A client of such a service, and how it lets a call go: answers what became of the work. */
async function slow(revision: string) {
  const { works, begin } = await slowService();
  const call = await begin(revision);
  return {
    async letGo(name: string, input: Record<string, unknown>) {
      const { controller, called } = call(name, input);
      await eventually("the work to begin", () => (works.length > 0 ? true : undefined));
      controller.abort();
      await expect(called).rejects.toThrow();
      return works[0];
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
