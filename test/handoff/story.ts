import { expect } from "vitest";
import { bind, register, user } from "../agents/agents.ts";
import { freshOwner } from "../support/acting.ts";
import { type ClientOptions, everyScope, type World } from "../support/world.ts";
import type { Acting, HandoffDoor } from "./doors.ts";

/** Where the story takes place: a server, and the service on its database, which stands for the pages and the command line. */
export type Stage = Pick<World, "service" | "withToken" | "handle"> & { readonly url: string };

const PATH = "projects/ledger";
const QUERY = "What is known about the invoice numbering, and how far is the work on it?";

/**
 * One agent begins a task and decides something, another goes on, and the first takes it up again: each in a session of its
 * own, with the boundary of every item as it stands to who asks, and denied to whoever may not see it.
 */
export async function handsOverAndBack(stage: Stage, door: HandoffDoor): Promise<void> {
  const owner = await user(stage);
  const [a, b] = [await agentOf(stage, owner), await agentOf(stage, owner)];
  const open = (acting: Partial<Acting> & Pick<Acting, "token">) =>
    door.open(stage, { instance: "laptop", session: "first", task: "numbering", ...acting });

  // A begins, and decides something.
  const beginning = await open({ token: a.token });
  const shared = { path: PATH, source: "coder", scope: "private" };
  const note = { ...shared, memory_type: "working" };
  const started = await beginning.remember({
    ...note,
    status: "started",
    content: "Task numbering: invoice numbering moves to the new ledger; the import is not written yet.",
  });
  const decision = await beginning.remember({
    ...shared,
    content: "Decision: invoice numbering starts anew each year, because the tax office asks for it.",
  });

  // B, in another session, reads what fits and goes on.
  const going = await open({ token: b.token, session: "second", instance: "server" });
  const read = await going.recall({ query: QUERY, max_items: 8, max_tokens: 800 });
  expect(read.context_text).toMatch(/^### Recollect Context\n/);
  expect(read.context_text).toContain("starts anew each year");
  expect(read.context_text).toContain(", other agent, ");
  expect(boundariesOf(read)).toEqual(
    new Map([
      [started.id, boundary("other_agent", b.id, a.id)],
      [decision.id, boundary("other_agent", b.id, a.id)],
    ]),
  );
  const tight = await going.recall({ query: QUERY, max_items: 1, max_tokens: 800 });
  expect(tight.items).toHaveLength(1);
  const fix = await going.remember({
    ...shared,
    content:
      "Bug fix: invoice numbering skipped a number when two imports ran at once; a lock on the year prevents it.",
  });
  const ended = await going.remember({
    ...note,
    status: "completed",
    content: "Task numbering is done: the import of invoice numbering is written and tested.",
  });

  // A comes back, in a third session.
  const mine = (relation: string) => boundary(relation, a.id, a.id);
  const asA = async (instance: string) =>
    boundariesOf(await (await open({ token: a.token, session: "third", instance })).recall({ query: QUERY }));
  const theirs = boundary("other_agent", a.id, b.id);
  const seenBy = (own: string) =>
    new Map([
      [started.id, mine(own)],
      [decision.id, mine(own)],
      [fix.id, theirs],
      [ended.id, theirs],
    ]);
  expect(await asA("laptop")).toEqual(seenBy("self"));
  expect(await asA("another laptop")).toEqual(seenBy("same_agent_other_instance"));

  // Whoever says that it is A, with a key of the owner, is believed to say so and no more.
  const claimed = await open({ token: await keyOf(stage, owner.name, {}), agentId: a.id });
  const claimedItems = boundariesOf(await claimed.recall({ query: QUERY }));
  expect(claimedItems.get(decision.id)).toEqual({ ...mine("self"), current_agent_trust: "client_asserted" });

  // By scope, owner and the place that a credential is confined to.
  const mayOnlyWrite = await open({ token: await keyOf(stage, owner.name, { scopes: ["memory:write"] }) });
  await expect(mayOnlyWrite.recall({ query: QUERY })).rejects.toMatchObject({ code: "insufficient_scope" });
  const mayOnlyRead = await open({ token: await keyOf(stage, owner.name, { scopes: ["memory:read"] }) });
  await expect(mayOnlyRead.remember({ ...shared, content: "x" })).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  const strangers = await user(stage);
  const stranger = await agentOf(stage, strangers);
  for (const [token, agentId] of [
    [stranger.token, undefined],
    [await keyOf(stage, strangers.name, {}), a.id],
    [await keyOf(stage, owner.name, { space: { pathPrefix: "projects/other" } }), a.id],
    [await keyOf(stage, owner.name, { space: { projects: ["other"] } }), a.id],
    [await keyOf(stage, owner.name, { space: { buckets: ["other"] } }), a.id],
  ] as const) {
    const denied = await open({ token, ...(agentId === undefined ? {} : { agentId }) });
    expect((await denied.recall({ query: QUERY })).items).toEqual([]);
  }

  // And by what is asked for.
  for (const filter of [
    { path: "projects/other" },
    { bucket: "other" },
    { project_id: "other" },
    { status: "archived" },
    { memory_type: "episodic" },
    { scope: "team" },
  ])
    expect([filter, (await going.recall({ query: QUERY, ...filter })).items]).toEqual([filter, []]);
  const ownSession = await going.recall({ query: QUERY, sessions: "own" });
  expect(new Set(ownSession.items.map(({ id }) => id))).toEqual(new Set([decision.id, fix.id, ended.id]));
}

/** An agent that has registered itself and that its user has bound. */
async function agentOf(stage: Stage, owner: Awaited<ReturnType<typeof user>>) {
  const agent = await register(stage);
  const { token } = await bind(stage, agent, owner);
  return { id: agent.id, token };
}

async function keyOf(
  { service }: Stage,
  owner: string,
  { scopes = everyScope, space = {} }: ClientOptions,
): Promise<string> {
  const { id } = await service.credentials.ensureOwner("user", owner);
  const { secret } = await service.credentials.issue({
    kind: "api_key",
    ownerId: id,
    name: freshOwner(),
    scopes,
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null, ...space },
    expiresAt: null,
  });
  return secret;
}

function boundary(relation: string, current: string, author: string) {
  return {
    relation,
    ownership: relation,
    current_agent_id: current,
    current_agent_trust: "token_bound",
    boundary_authority: "attribution_only",
    memory_agent_id: author,
  };
}

function boundariesOf({ items }: { items: readonly { id: string; boundary: { explanation: string } }[] }) {
  return new Map(
    items.map(({ id, boundary: { explanation, ...boundary } }) => {
      expect(explanation).not.toBe("");
      return [id, boundary];
    }),
  );
}
