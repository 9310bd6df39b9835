/** What the helpers write down, and what they keep from being written: judged here first, and told honestly. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createWorkflow, type Workflow } from "../../src/client/index.ts";
import { freshOwner, unguessable } from "../support/acting.ts";
import { githubToken, secretCases } from "../support/secrets.ts";
import { openWorld, type World } from "../support/world.ts";
import { clientOf } from "./door.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const AGENT = {
  source: "planner",
  agent: { id: "planner", name: "Планировщик" },
  sessionId: "s-1",
  taskId: "t-1",
};

interface Someone {
  readonly client: Client;
  readonly work: Workflow;
  readonly token: string;
  /** How many requests to remember something were sent. */
  sent(): number;
}

async function someone(options: Parameters<typeof createWorkflow>[1] = AGENT): Promise<Someone> {
  const { token } = await world.client({ owner: freshOwner() });
  let sent = 0;
  const client = clientOf(world, token, {
    fetch: (url, init) => {
      if (url.endsWith("/v1/remember")) sent += 1;
      return world.handle(new Request(url, init));
    },
  });
  return { client, token, work: createWorkflow(client, options), sent: () => sent };
}

const read = ({ client }: Someone, id: string | undefined) => client.getMemory({ memory_id: id ?? "none" });

test("each helper writes what it is for, with who said it and in which task", async () => {
  const me = await someone({ ...AGENT, projectId: "apollo" });
  const { work } = me;
  const written = {
    task_start: await work.taskStart("Move the queue to Postgres."),
    decision: await work.recordDecision("The queue is built on Postgres, since it is there already."),
    bug_fix: await work.recordBugFix("Jobs ran twice: the claim was not in a transaction.", {
      importance: 0.9,
    }),
    task_end: await work.taskEnd("The queue runs on Postgres."),
  };
  const types = { task_start: "working", decision: "semantic", bug_fix: "semantic", task_end: "working" };
  const statuses = { task_start: "started", decision: "active", bug_fix: "active", task_end: "completed" };
  for (const [kind, result] of Object.entries(written)) {
    expect(result, kind).toMatchObject({ shouldCapture: true, reason: "captured" });
    expect(await read(me, result.memory?.id)).toMatchObject({
      memory_type: types[kind as keyof typeof types],
      status: statuses[kind as keyof typeof statuses],
      path: "projects/apollo",
      source: "planner",
      scope: "private",
      metadata: { kind },
      provenance: {
        project_id: "apollo",
        session_id: "s-1",
        task_id: "t-1",
        agent_id: "planner",
        agent_name: "Планировщик",
      },
    });
  }
  expect((await read(me, written.bug_fix.memory?.id)).importance).toBe(0.9);
});

test.each([
  ["", "empty"],
  [" \n…", "empty"],
  ["Thanks, sounds good!", "trivial"],
  ["👍", "trivial"],
  ["好的", "trivial"],
])("%j is not sent: %s", async (content, reason) => {
  const me = await someone();
  expect(await me.work.recordDecision(content)).toEqual({ shouldCapture: false, reason });
  expect(me.sent()).toBe(0);
});

test("a courtesy with something beside it may say something", async () => {
  const me = await someone();
  const result = await me.work.recordDecision("Yes", { metadata: { question: "Do we ship on Friday?" } });
  expect(result).toMatchObject({ shouldCapture: true, reason: "captured" });
});

test("no secret leaves the process, whatever its kind and whether in the content or beside it", async () => {
  const me = await someone();
  const refused = { shouldCapture: false, reason: "secret_detected" };
  for (const { kind, around, secret } of secretCases) {
    const text = around.replace("{}", () => secret);
    expect(await me.work.recordBugFix(text), `${kind}: ${around}`).toEqual(refused);
    expect(await me.work.recordBugFix("It works now.", { metadata: { env: [{ note: text }] } })).toEqual(
      refused,
    );
  }
  expect(await me.work.recordBugFix("It works now.", { metadata: { password: "hunter2!x" } })).toEqual(
    refused,
  );
  expect(me.sent()).toBe(0);
  const named = await me.work.recordBugFix(
    "The password is kept in the vault, the API key in the environment.",
  );
  expect(named.shouldCapture).toBe(true);
});

test("what was captured is a duplicate, known here; a second workflow is told by the service", async () => {
  const me = await someone();
  const content = `Deploys of ${unguessable()} go out on Tuesdays.`;
  const first = await me.work.recordDecision(content);
  expect(await me.work.recordDecision(`  ${content.replace(" go ", "\n go  ")} `)).toEqual({
    shouldCapture: false,
    reason: "duplicate",
    memory: first.memory,
  });
  expect(me.sent()).toBe(1);
  const elsewhere = await createWorkflow(me.client, AGENT).recordDecision(content);
  expect(elsewhere).toMatchObject({
    shouldCapture: false,
    reason: "duplicate",
    memory: { id: first.memory?.id },
  });
  expect(me.sent()).toBe(2);
  const { total } = await me.client.listMemories();
  expect(total).toBe(1);
});

test("what was forgotten meanwhile is written again where that is asked for", async () => {
  const me = await someone();
  const content = `Deploys of ${unguessable()} go out on Mondays.`;
  const { memory } = await me.work.recordDecision(content);
  await me.client.deleteMemory({ memory_id: memory?.id ?? "" });
  expect(await me.work.recordDecision(content)).toMatchObject({ shouldCapture: false, reason: "duplicate" });
  expect(await me.work.recordDecision(content, { dedupe: false })).toMatchObject({ shouldCapture: true });
});

test("the same words elsewhere, in another case or of another task are no duplicate", async () => {
  const me = await someone();
  const content = "Releases are cut by Nadia.";
  await me.work.recordDecision(content);
  expect(await me.work.recordDecision(content, { projectId: "apollo" })).toMatchObject({
    reason: "captured",
  });
  expect(await me.work.recordDecision(content, { bucket: "ops" })).toMatchObject({ reason: "captured" });
  expect(await me.work.recordDecision("releases are cut by NADIA.")).toMatchObject({ reason: "captured" });
  expect(await me.work.taskStart(content)).toMatchObject({ reason: "captured" });
});

test("a fact that is said anew after it was another is captured each time", async () => {
  const me = await someone();
  const semanticKey = "deploy-day";
  for (const content of ["Deploys are on Tuesday.", "Deploys are on Friday.", "Deploys are on Tuesday."]) {
    expect(await me.work.recordDecision(content, { semanticKey })).toMatchObject({ reason: "captured" });
    await me.work.recallContext("When are deploys?");
  }
  const { memories } = await me.client.listMemories();
  expect(memories.map(({ content }) => content)).toEqual(["Deploys are on Tuesday."]);
});

test("what recall has just shown is an echo, whole, quoted, in parts or led in to; what adds a word is not", async () => {
  const me = await someone();
  const word = unguessable("harbour");
  const first = `Cranes at ${word} are inspected every March.`;
  const second = `The night shift at ${word} ends at six.`;
  const { id } = await me.client.storeMemory({ content: `${first} ${second}`, path: "work" });
  const { items } = await me.work.recallContext(`What about ${word}?`);
  expect(items.map((item) => item.id)).toEqual([id]);
  for (const echo of [`${first} ${second}`, `> ${second}\n> ${first}`, `By the way, ${first}`, second]) {
    expect(await me.work.recordDecision(echo), echo).toMatchObject({
      shouldCapture: false,
      reason: "echo",
      memory: { id },
    });
  }
  expect(await me.work.recordDecision("### Recollect Context")).toEqual({
    shouldCapture: false,
    reason: "echo",
  });
  expect(me.sent()).toBe(0);
  // Said of a task it is new, and so it is in another place, or with a word more.
  expect(await me.work.taskStart(first)).toMatchObject({ reason: "captured" });
  expect(await me.work.recordDecision(first, { projectId: "elsewhere" })).toMatchObject({
    reason: "captured",
  });
  expect(await me.work.recordDecision(first.replace("March", "May"))).toMatchObject({ reason: "captured" });
});

test("what is only noted for now does not keep from being kept what is decided", async () => {
  const me = await someone();
  const content = `We take the ${unguessable("ferry")} at nine.`;
  await me.work.taskStart(content);
  await me.work.recallContext(content);
  expect(await me.work.recordDecision(content)).toMatchObject({ shouldCapture: true, reason: "captured" });
});

test("an echo of what another workflow of the same key was shown is told by the service", async () => {
  const me = await someone();
  const content = `Lamps at ${unguessable("quay")} are changed in May.`;
  await me.client.storeMemory({ content, path: "work" });
  await me.client.recallContext({ query: content });
  const result = await me.work.recordDecision(content, { path: "work", metadata: {} });
  expect(result.shouldCapture).toBe(false);
  expect(["echo", "duplicate"]).toContain(result.reason);
});

test("disabled is told, and nothing is sent", async () => {
  const me = await someone({ ...AGENT, enabled: false });
  expect(await me.work.taskStart("Anything at all.")).toEqual({ shouldCapture: false, reason: "disabled" });
  expect(await me.work.taskStart("Anything at all.", { enabled: true })).toMatchObject({
    reason: "captured",
  });
  expect(me.sent()).toBe(1);
});

test("a failed write is a failure and no capture, and may be tried again", async () => {
  const { token } = await world.client({ owner: freshOwner() });
  let isDown = true;
  const client = clientOf(world, token, {
    retries: 0,
    fetch: async (url, init) => {
      if (isDown) throw new TypeError("fetch failed");
      return world.handle(new Request(url, init));
    },
  });
  const work = createWorkflow(client);
  await expect(work.recordDecision("We go on.")).rejects.toMatchObject({ code: "connection_failed" });
  isDown = false;
  expect(await work.recordDecision("We go on.")).toMatchObject({ shouldCapture: true, reason: "captured" });
});

test("a secret that only the service sees is refused by it, where its policy is to refuse", async () => {
  const strict = await openWorld({ SECRET_POLICY: "refuse" });
  try {
    const { token } = await strict.client();
    // Disguised by a character that shows nothing: the client does not read that closely.
    const disguised = `${githubToken.slice(0, 12)}\u200b${githubToken.slice(12)}`;
    const work = createWorkflow(clientOf(strict, token));
    const result = await work.recordDecision(`It works with ${disguised} now.`);
    expect(result).toEqual({ shouldCapture: false, reason: "secret_detected" });
  } finally {
    await strict.close();
  }
});
