import { unguessable } from "../support/acting.ts";
import type { Random } from "../support/random.ts";
import type { Answer } from "../support/world.ts";
import { type Asker, type Field, INSIDE, newHistory, TEAM, USERS } from "./field.ts";
import { type Memory, type State, textOf } from "./model.ts";

const PATHS = [INSIDE, `${INSIDE}/deep`, "inner", "out"];
const BUCKETS = ["b0", "b0", "b1"];

type Write = (field: Field, random: Random) => Promise<Written | null>;

/** What was written and by whom, to be asked for at once; null where there was nothing to write. */
export type Written = { readonly by: Asker; readonly word: string } | null;

/** Each with its share. */
export const WRITES: readonly (readonly [number, Write])[] = [
  [30, create],
  [18, rewrite],
  [12, move],
  [6, rebucket],
  [8, (field, random) => remove(field, random, "soft_delete")],
  [6, restore],
  [8, (field, random) => remove(field, random, "hard_delete")],
  [4, (field, random) => remove(field, random, "redact")],
  [5, giveToTeam],
  [3, comeOrGo],
  [1, adopt],
];

async function create(field: Field, random: Random): Promise<Written> {
  const owner = random.pick([...USERS, ...USERS, TEAM]);
  return createFor(field, random, owner === TEAM ? "alice" : owner, owner);
}

async function createFor(field: Field, random: Random, by: string, owner: string): Promise<Written> {
  const asker = field.askerOf(by);
  const state = newState(random, owner);
  const history = newHistory();
  const scope = owner === TEAM ? { scope: "team", team_id: field.teamId } : {};
  const { word, path, bucket } = state;
  const answered = history.change(state, field.model.clock);
  const memory = field.model.add(history);
  const { body } = await expectStatus(
    201,
    random.pick(asker.clients).post("/v1/memories", { content: textOf(word), path, bucket, ...scope }),
  );
  answered();
  memory.id = body.id;
  memory.isTaken = false;
  return { by: asker, word };
}

function newState(random: Random, owner: string): State {
  return {
    owner,
    word: unguessable(),
    path: random.pick(PATHS),
    bucket: random.pick(BUCKETS),
    status: "active",
  };
}

function rewrite(field: Field, random: Random): Promise<Written> {
  return change(field, random, () => {
    const word = unguessable();
    return [{ word }, { content: textOf(word) }];
  });
}

function move(field: Field, random: Random): Promise<Written> {
  return change(field, random, () => {
    const path = random.pick(PATHS);
    return [{ path }, { path }];
  });
}

function rebucket(field: Field, random: Random): Promise<Written> {
  return change(field, random, () => {
    const bucket = random.pick(BUCKETS);
    return [{ bucket }, { bucket }];
  });
}

/** A change of a live memory that keeps its id. */
async function change(
  field: Field,
  random: Random,
  make: () => readonly [Partial<State>, object],
): Promise<Written> {
  return taking(field, random, "active", async (memory, by) => {
    const [members, body] = make();
    const next = { ...memory.history.latest, ...members };
    field.model.nameBy(next.word, memory);
    const answered = memory.history.change(next, field.model.clock);
    await expectStatus(200, random.pick(by.clients).patch(`/v1/memories/${memory.id}`, body));
    answered();
    return { by, word: next.word };
  });
}

async function remove(
  field: Field,
  random: Random,
  mode: "soft_delete" | "hard_delete" | "redact",
): Promise<Written> {
  return taking(field, random, "active", async (memory, by) => {
    await removeIt(field, random, memory, by, mode);
    return { by, word: memory.history.latest.word };
  });
}

async function removeIt(
  field: Field,
  random: Random,
  memory: Memory,
  by: Asker,
  mode: "soft_delete" | "hard_delete" | "redact",
): Promise<void> {
  const status = { soft_delete: "soft_deleted", hard_delete: "erased", redact: "redacted" }[mode];
  const next = { ...memory.history.latest, status: status as State["status"] };
  const answered = memory.history.change(next, field.model.clock);
  await expectStatus(200, random.pick(by.clients).delete(`/v1/memories/${memory.id}?mode=${mode}`));
  answered();
}

async function restore(field: Field, random: Random): Promise<Written> {
  return taking(field, random, "soft_deleted", async (memory, by) => {
    const answered = memory.history.change({ ...memory.history.latest, status: "active" }, field.model.clock);
    await expectStatus(200, random.pick(by.clients).post(`/v1/memories/${memory.id}/restore`));
    answered();
    return { by, word: memory.history.latest.word };
  });
}

/** A memory cannot change its owner: it is stored anew for the team, and the private one removed for good. */
async function giveToTeam(field: Field, random: Random): Promise<Written> {
  return taking(field, random, "active", async (memory, by) => {
    if (memory.history.latest.owner !== "alice") return null;
    const written = await createFor(field, random, "alice", TEAM);
    await removeIt(field, random, memory, by, "hard_delete");
    return written;
  });
}

/** Bob enters the team or leaves it. One at a time. */
async function comeOrGo({ model, teamId, ownerId, world }: Field, random: Random): Promise<Written> {
  const membership = model.membership("bob", TEAM);
  const last = membership.spans.at(-1);
  if (last && last.answeredAt === Infinity) return null;
  const isIn = random.below(3) > 0;
  const answered = membership.change(isIn, model.clock);
  if (isIn) await world.service.teams.setRole(teamId, ownerId("bob"), random.pick(["viewer", "admin"]));
  else await world.service.teams.remove(teamId, ownerId("bob"));
  answered();
  return null;
}

/** An agent registers, writes into its quarantine, and is bound: what it wrote moves to Carol. */
async function adopt(field: Field, random: Random): Promise<Written> {
  const { world, model } = field;
  const handle = field.askerOf("carol").clients;
  const { body } = await expectStatus(
    200,
    random.pick(handle).post("/v1/agents/register", {
      entry_type: "test",
      client_name: "a gardener's helper",
      installation_fingerprint: "one shed",
    }),
  );
  const name = body.agent_id as string;
  const agent = field.askerWith(
    { name, owner: name, team: null, pathPrefix: null, buckets: null },
    body.temporary_token,
  );
  field.askers.push(agent);
  const states = [newState(random, name), newState(random, name)];
  const memories = await Promise.all(
    states.map(async (state) => {
      const history = newHistory();
      const answered = history.change(state, model.clock);
      const memory = model.add(history);
      const { word, path, bucket } = state;
      const { body: made } = await expectStatus(
        201,
        random.pick(agent.clients).post("/v1/memories", { content: textOf(word), path, bucket }),
      );
      answered();
      memory.id = made.id;
      return memory;
    }),
  );
  const carol = { id: field.ownerId("carol"), kind: "user" as const, name: "carol" };
  const approval = { scopes: ["memory:read", "memory:write"] as const, teamId: null, projects: null };
  const { confirmationToken } = await world.service.agentClaims.approve(carol, body.claim_code, approval);
  // Its token ends with the binding, and so nobody asks with it any more.
  field.askers.splice(field.askers.indexOf(agent), 1);
  const answered = memories.map(({ history }) =>
    history.change({ ...history.latest, owner: "carol" }, model.clock),
  );
  await expectStatus(
    200,
    random.pick(agent.clients).post("/v1/agents/bind/confirm-current-user", {
      confirmation_token: confirmationToken,
    }),
  );
  for (const done of answered) done();
  for (const memory of memories) memory.isTaken = false;
  return { by: field.askerOf("carol"), word: (states[0] as State).word };
}

/** Hands over a memory of this status, by its owner's own key, while nobody else writes it. */
async function taking(
  { model, askerOf }: Field,
  random: Random,
  status: State["status"],
  write: (memory: Memory, by: Asker) => Promise<Written>,
): Promise<Written> {
  // Mostly one of the newest: they are where an index lags behind.
  const { memories } = model;
  const from = random.below(3) === 0 ? 0 : Math.max(0, memories.length - 40);
  const free = memories.slice(from).filter((each) => !each.isTaken && each.history.latest.status === status);
  if (free.length === 0) return null;
  const memory = random.pick(free);
  memory.isTaken = true;
  try {
    return await write(
      memory,
      askerOf(memory.history.latest.owner === TEAM ? "alice" : memory.history.latest.owner),
    );
  } finally {
    memory.isTaken = false;
  }
}

async function expectStatus(status: number, answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  if (given.status === status) return given;
  throw new Error(`a write was answered ${given.status}: ${JSON.stringify(given.body).slice(0, 300)}`);
}
