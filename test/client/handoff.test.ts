/** A → B → A with the client: what is handed on, whose it is said to be, and what keeps it from being handed on. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Attribution,
  type Client,
  type ContextAnswer,
  createClient,
  createWorkflow,
} from "../../src/client/index.ts";
import type { Scope } from "../../src/contract/scope.ts";
import { freshOwner } from "../support/acting.ts";
import { runtimesUnderTest } from "../support/runtimes-under-test.ts";
import { home, KEY, startServer } from "../support/server.ts";
import { type ClientOptions, openWorld, type World } from "../support/world.ts";
import { clientOf } from "./door.ts";

const PLANNER = {
  source: "planner",
  agent: { id: "planner", instance: "laptop-1" },
  sessionId: "s-a",
  taskId: "queue",
};
const CODER = {
  source: "coder",
  agent: { id: "coder", instance: "server-1" },
  sessionId: "s-b",
  taskId: "queue",
};

const DECISION = "The queue of Cassini is built on Postgres, since it is there already.";
const FIX = "Jobs of the queue of Cassini ran twice: the claim was outside of the transaction.";

const boundaryOf = (pack: ContextAnswer, content: string) =>
  pack.items.find((item) => item.content === content)?.boundary ?? null;

/** The sequence of the interface; answers what each was shown. */
async function handOver(planners: Client, coders: Client) {
  const planner = createWorkflow(planners, PLANNER);
  const coder = createWorkflow(coders, CODER);
  expect(await planner.taskStart("Choose a queue for Cassini.")).toMatchObject({ shouldCapture: true });
  expect(await planner.recordDecision(DECISION)).toMatchObject({ shouldCapture: true });
  const question = "What do we know about the queue of Cassini?";
  const first = await coder.recallContext(question, { maxItems: 5, maxTokens: 800 });
  expect(await coder.recordBugFix(FIX)).toMatchObject({ shouldCapture: true });
  expect(await coder.taskEnd("The queue of Cassini runs.")).toMatchObject({ shouldCapture: true });
  const second = await planner.recallContext(question);
  return { question, first, second };
}

function expectHandedOver({ first, second }: Awaited<ReturnType<typeof handOver>>): void {
  expect(first.budget).toMatchObject({ max_items: 5, max_tokens: 800 });
  expect(first.budget.used_tokens).toBeLessThanOrEqual(800);
  expect(first.context_text).toMatch(/^### Recollect Context\n/);
  expect(boundaryOf(first, DECISION)).toMatchObject({
    relation: "other_agent",
    ownership: "other_agent",
    current_agent_id: "coder",
    current_agent_trust: "client_asserted",
    boundary_authority: "attribution_only",
    memory_agent_id: "planner",
  });
  expect(boundaryOf(second, DECISION)).toMatchObject({ relation: "self", memory_agent_id: "planner" });
  expect(boundaryOf(second, FIX)).toMatchObject({ relation: "other_agent", memory_agent_id: "coder" });
  expect(second.items.map(({ content }) => content)).toContain("The queue of Cassini runs.");
}

describe.each(runtimesUnderTest)("against a server on %s", (runtime) => {
  test("the work is handed over and back, across sessions and instances", { timeout: 180_000 }, async () => {
    const { url } = await startServer(await home(), runtime);
    const client = createClient({ baseUrl: url, apiKey: KEY });
    const handed = await handOver(client, createClient({ baseUrl: url, apiKey: KEY }));
    expectHandedOver(handed);
    const elsewhere: Attribution = {
      ...PLANNER,
      agent: { id: "planner", instance: "laptop-2" },
      sessionId: "s-c",
    };
    const other = await createWorkflow(client, elsewhere).recallContext(handed.question);
    expect(boundaryOf(other, DECISION)).toMatchObject({ relation: "same_agent_other_instance" });
  });
});

describe("what keeps it from being handed over", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const clientWith = async (options: ClientOptions) => clientOf(world, (await world.client(options)).token);
  const withScopes = (owner: string, ...scopes: Scope[]) => clientWith({ owner, scopes });

  test("nothing, for two keys of one owner", async () => {
    const owner = freshOwner();
    expectHandedOver(await handOver(await clientWith({ owner }), await clientWith({ owner })));
  });

  test("the scope: who may not read is refused, and who may not write hands nothing on", async () => {
    const owner = freshOwner();
    const writer = createWorkflow(await withScopes(owner, "memory:write"), PLANNER);
    expect(await writer.recordDecision(DECISION)).toMatchObject({ shouldCapture: true });
    await expect(writer.recallContext("Cassini")).rejects.toMatchObject({
      code: "insufficient_scope",
      status: 403,
    });
    const reader = createWorkflow(await withScopes(owner, "memory:read"), CODER);
    expect(boundaryOf(await reader.recallContext("the queue of Cassini"), DECISION)).not.toBeNull();
    await expect(reader.recordBugFix(FIX)).rejects.toMatchObject({ code: "insufficient_scope" });
  });

  test("the owner, whoever the request claims to be from", async () => {
    await createWorkflow(await clientWith({ owner: freshOwner() }), PLANNER).recordDecision(DECISION);
    const stranger = createWorkflow(await clientWith({ owner: freshOwner() }), PLANNER);
    const pack = await stranger.recallContext("the queue of Cassini");
    expect(pack.items).toEqual([]);
    expect(pack.context_text).not.toContain("Postgres");
  });

  test("the token space", async () => {
    const owner = freshOwner();
    const planner = createWorkflow(await clientWith({ owner }), { ...PLANNER, projectId: "cassini" });
    await planner.recordDecision(DECISION);
    const confined = await clientWith({ owner, space: { projects: ["huygens"] } });
    expect((await createWorkflow(confined, CODER).recallContext("the queue of Cassini")).items).toEqual([]);
    const allowed = await clientWith({ owner, space: { projects: ["cassini"] } });
    const pack = await createWorkflow(allowed, CODER).recallContext("the queue of Cassini");
    expect(boundaryOf(pack, DECISION)).toMatchObject({ relation: "other_agent" });
  });

  test.each([
    ["path", { path: "projects/huygens/%" }],
    ["bucket", { bucket: "ops" }],
    ["project", { projectId: "huygens" }],
    ["scope", { scope: "team" as const }],
  ])("a filter: %s", async (_, filter) => {
    const owner = freshOwner();
    await createWorkflow(await clientWith({ owner }), PLANNER).recordDecision(DECISION);
    const coder = createWorkflow(await clientWith({ owner }), CODER);
    expect((await coder.recallContext("the queue of Cassini")).items.length).toBe(1);
    expect((await coder.recallContext("the queue of Cassini", filter)).items).toEqual([]);
  });
});
