import { expect, onTestFinished } from "vitest";
import { eventually, freshOwner } from "../support/acting.ts";
import { ask, indicesOf, NODE, type Node, type OwnIndices, ownIndices } from "../support/elasticsearch.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { type NodeProxy, openProxy } from "./proxy.ts";
import { type Fact, Truth } from "./truth.ts";

/** Healing may wait for a pause between two tries to end; on a machine with much else to do it may take long. */
export const HEALS_WITHIN_MS = 120_000;
export const TEST_TIMEOUT_MS = 2 * HEALS_WITHIN_MS + 120_000;

const INSIDE = "facts";
const OUTSIDE = "rumours";

const NAMES = ["alice", "bob", "carol", "inside"] as const;

/** A service, its node, what stands between them, and what clients have written. */
export interface Stage {
  readonly node: Node;
  readonly world: World;
  readonly proxy: NodeProxy;
  readonly indices: OwnIndices;
  readonly clients: Readonly<Record<(typeof NAMES)[number], Client>>;
  readonly truth: Truth;
  readonly team: string;
  /** Which of these words the service's indices hold now, in whatever field. */
  held(words: readonly string[]): Promise<ReadonlySet<string>>;
  /** What the planner says of the engine. */
  plan(): Promise<{ engine: string; degraded: string[] }>;
  /** Writes of every kind, each of which must be accepted. */
  busy(): Promise<void>;
  /** Until recall runs on Elasticsearch again, and this holds all there is and nothing that was erased. */
  healed(): Promise<void>;
}

/**
 * Alice and Bob are in a team, Carol is in none, and `inside` is a key of Alice's for one path. The service
 * recalls with Elasticsearch when this resolves, and something of everybody's is in the index.
 */
export async function openStage(
  settings: Readonly<Record<string, string>> = {},
  node = NODE as Node,
): Promise<Stage> {
  const stage = await openUncheckedStage(settings, node);
  await stage.busy();
  await stage.healed();
  return stage;
}

/** The same, before anything is written or known of the index. */
export async function openUncheckedStage(
  settings: Readonly<Record<string, string>>,
  node: Node,
): Promise<Stage> {
  const indices = ownIndices(node);
  const proxy = await openProxy(node.url);
  const toProxy = { ELASTICSEARCH_URL: proxy.url, ELASTICSEARCH_TIMEOUT_MS: "1000", LOG_LEVEL: "silent" };
  const world = await openWorld({ ...indices.settings, ...toProxy, ...settings });
  onTestFinished(async () => {
    await proxy.heal();
    await world.close();
    await proxy.close();
    // A node that is gone has taken them along.
    await indices.remove().catch(() => {});
  });
  return furnish(node, world, proxy, indices);
}

async function furnish(node: Node, world: World, proxy: NodeProxy, indices: OwnIndices): Promise<Stage> {
  const [aliceName, bobName] = [freshOwner(), freshOwner()];
  const clients = {
    alice: await world.client({ owner: aliceName }),
    bob: await world.client({ owner: bobName }),
    carol: await world.client({ owner: freshOwner() }),
    inside: await world.client({ owner: aliceName, space: { pathPrefix: INSIDE } }),
  };
  const founder = await world.service.credentials.ensureOwner("user", aliceName);
  const { team } = await world.service.teams.create(freshOwner(), founder);
  await world.service.teams.setRole(team.id, clients.bob.ownerId, "admin");
  const truth = new Truth(clients);
  const held = (words: readonly string[]) => wordsHeld(node, indices.prefix, words);
  const plan = async () => {
    const { status, body } = await clients.alice.post("/v1/recall/context", { query: "the gardener" });
    expect(status).toBe(200);
    return body.retrieval_plan;
  };
  return {
    node,
    world,
    proxy,
    indices,
    clients,
    truth,
    team: team.id,
    held,
    plan,
    busy: () => busy(truth, team.id),
    async healed() {
      await eventually(plan, isWhole, HEALS_WITHIN_MS);
      await eventually(
        () => differences(truth, held),
        (wrong) => wrong.length === 0,
        HEALS_WITHIN_MS,
      );
      await eventually(() => truth.isConfirmed(), Boolean, HEALS_WITHIN_MS);
      await truth.check();
    },
  };
}

const isWhole = (plan: { engine: string; degraded: string[] }) =>
  plan.engine === "elasticsearch" && plan.degraded.length === 0;

/** Words that the indices lack, or have though they were erased. */
async function differences(truth: Truth, held: Stage["held"]): Promise<string[]> {
  const [live, erased] = [truth.words("live"), truth.words("erased")];
  const found = await held([...live, ...erased]);
  return [...live.filter((word) => !found.has(word)), ...erased.filter((word) => found.has(word))];
}

async function wordsHeld(node: Node, prefix: string, words: readonly string[]): Promise<ReadonlySet<string>> {
  if ((await indicesOf(node, prefix)).length === 0) return new Set();
  await ask(node, "POST", `/${prefix}*/_refresh`);
  const having = (word: string) => ({ multi_match: { query: word, fields: ["*"], lenient: true } });
  const filters = Object.fromEntries(words.map((word) => [word, having(word)]));
  const { status, body } = await ask(node, "POST", `/${prefix}*/_search`, {
    size: 0,
    aggs: { words: { filters: { filters } } },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return new Set(words.filter((word) => body.aggregations.words.buckets[word].doc_count > 0));
}

/** Something is changed, moved and removed of what was there, then everybody writes something new. */
async function busy(truth: Truth, team: string): Promise<void> {
  const known = truth.live("alice");
  if (known.length >= 7) await unsettle(truth, known as Seven, team);
  for (let n = 0; n < 6; n++) await truth.creates("alice", ["alice", "inside"], { path: INSIDE });
  await truth.creates("alice", ["alice"], { path: OUTSIDE });
  await truth.creates("bob", ["bob"], { path: INSIDE });
  await truth.creates("bob", ["alice", "bob"], { path: OUTSIDE, scope: "team", team_id: team });
  await truth.creates("carol", ["carol"], { path: INSIDE });
}

type Seven = [Fact, Fact, Fact, Fact, Fact, Fact, Fact];

async function unsettle(truth: Truth, known: Seven, team: string): Promise<void> {
  const [rewritten, leaving, entering, softly, hard, redacted, shared] = known;
  await truth.rewrites("alice", rewritten);
  const others = [...leaving.seenBy].filter((name) => name !== "inside");
  await truth.changes("alice", leaving, { path: OUTSIDE }, others);
  await truth.changes("alice", entering, { path: `${INSIDE}/deep` }, [...entering.seenBy, "inside"]);
  await truth.removes("alice", softly, "soft_delete");
  await truth.removes("alice", hard, "hard_delete");
  await truth.removes("alice", redacted, "redact");
  // A memory cannot change its owner: what becomes the team's is stored anew.
  const given = { path: INSIDE, scope: "team", team_id: team };
  await truth.creates("alice", ["alice", "inside", "bob"], given);
  await truth.removes("alice", shared, "hard_delete");
  const [deleted] = truth.live("carol");
  if (!deleted) return;
  await truth.removes("carol", deleted, "soft_delete");
  await truth.restores("carol", deleted);
}
