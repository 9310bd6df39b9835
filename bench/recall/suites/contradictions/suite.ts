import { say } from "../../../chaos/say.ts";
import type { Api, Context } from "../api.ts";
import { withProgress } from "../progress.ts";
import { type Findings, shortened, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { contradictingPairs, type Pair } from "./pairs.ts";
import { repetitions } from "./repetitions.ts";
import { SWAP_KINDS } from "./swaps.ts";

/** Pairs that stand at one path, and are seen by each other's questions. */
const GROUP = 10;
/** Pairs of one project: maintenance scans at most 5,000 memories of it. */
const PROJECT = 1000;
const SCAN_LIMIT = 5000;
/** Of every so many pairs one side is changed, to be told what contradicts it. */
const PATCH_EVERY = 5;
/** As much as there is at a path, so that no budget leaves anything out. */
const EVERYTHING = { max_items: 100, max_tokens: 50_000, limit: 1000, threshold: 0 } as const;

interface StoredPair extends Pair {
  readonly ids: readonly [string, string];
  readonly path: string;
}

type Had = ReturnType<typeof judged>;

/** Pairs that contradict each other in one step, and a tenth as many that say the same. */
export async function contradictions(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const tally = new Tally(
    ["left out in silence", "as repetition", "merged", "confirmed", "conflicting"],
    ["all", ...SWAP_KINDS],
  );
  const conflicts = new Tally(["named"], ["all", ...SWAP_KINDS]);
  const failures: string[] = [];
  const pairs = contradictingPairs(size, seed);
  for (let from = 0; from < size; from += PROJECT) {
    const place = { project: path.replaceAll("/", ".") + from, path: `${path}/${from}` };
    const stored = await storedPairs(api, pairs.slice(from, from + PROJECT), place);
    say(`contradictions: ${from + stored.length} pairs are stored, and asked for`);
    const found = new Map<StoredPair, Had>();
    for (const [at, pair] of withProgress("contradictions", "pairs", stored)) {
      const context = await api.context({ query: pair.question, path: pair.path, ...EVERYTHING });
      found.set(pair, judged(pair, context));
      if (at % PATCH_EVERY === 0) conflicts.add(["all", pair.kind], { named: await isNamed(api, pair) });
    }
    // Last, since what is merged is no more shown.
    const merged = await mergedOf(api, place);
    for (const [pair, asked] of found) {
      const had = { ...asked, merged: pair.ids.some((id) => merged.has(id)) };
      tally.add(["all", pair.kind], had);
      if (had["left out in silence"] || had["as repetition"] || had.merged || had.confirmed)
        failures.push(failureOf(pair, had));
    }
  }
  const same = await saidAgain(api, { path: `${path}/again`, size: Math.ceil(size / 10), seed });
  return {
    tables: [
      tally.table("Pairs that contradict each other in one step", "percent", REMARK),
      conflicts.table("Contradictions that a PATCH of one side names, in %", "percent"),
      ...same.tables,
    ],
    failures: [...failures, ...same.failures],
  };
}

const REMARK = `In % of the pairs. The first two: of a pack with room for everything at its path. Merged: by merge_duplicates. Confirmed, conflicting: the answer_status of that pack.`;

async function storedPairs(
  api: Api,
  pairs: readonly Pair[],
  { project, path }: { project: string; path: string },
): Promise<StoredPair[]> {
  const pathOf = (at: number) => `${path}/${Math.floor(at / GROUP)}`;
  const ids = await api.store(
    pairs.flatMap(({ sides }, at) =>
      sides.map((content) => ({ content, path: pathOf(at), project_id: project })),
    ),
  );
  return pairs.map((pair, at) => ({
    ...pair,
    ids: [ids[2 * at] as string, ids[2 * at + 1] as string],
    path: pathOf(at),
  }));
}

/** What maintenance says that it would merge, and what is superseded once it has done so. */
async function mergedOf(
  api: Api,
  { project, path }: { project: string; path: string },
): Promise<ReadonlySet<string>> {
  const route = `/v1/projects/${project}/maintenance`;
  const report = await api.send<{ actions: { action: string; items: { id: string }[] }[] }>(
    "GET",
    `${route}?scan_limit=${SCAN_LIMIT}`,
  );
  const planned = report.actions.find(({ action }) => action === "merge_duplicates")?.items ?? [];
  await api.send("POST", `${route}/execute`, {
    actions: ["merge_duplicates"],
    confirm_all_matching: true,
    scan_limit: SCAN_LIMIT,
  });
  const superseded = await api.list({ path: `${path}/%`, status: "superseded" });
  return new Set([...planned, ...superseded].map(({ id }) => id));
}

/** By whatever word a pack says that a memory repeats another one. */
const REPETITION = /repe(?:a|ti)t|duplicate|same/i;

function judged({ ids }: { ids: readonly string[] }, { items, omitted, answer_status }: Context) {
  const isShown = (id: string) => items.some((item) => item.id === id);
  const reasonOf = (id: string) => omitted.find((one) => one.id === id)?.reason;
  const missing = ids.filter((id) => !isShown(id));
  return {
    "left out in silence": missing.some((id) => reasonOf(id) === undefined),
    "as repetition": missing.some((id) => REPETITION.test(reasonOf(id) ?? "")),
    confirmed: answer_status === "confirmed_answer",
    conflicting: answer_status === "conflicting_answers",
  };
}

async function isNamed(api: Api, { ids: [id, other] }: StoredPair): Promise<boolean> {
  const { conflicts } = await api.send<{ conflicts: { id: string }[] }>("PATCH", `/v1/memories/${id}`, {
    importance: 0.6,
  });
  return conflicts.some((conflict) => conflict.id === other);
}

function failureOf({ kind, sides, question }: Pair, had: Readonly<Record<string, boolean>>): string {
  const what = Object.entries(had).filter(([name, is]) => is && name !== "conflicting");
  return `${kind}: ${what.map(([name]) => name).join(", ")}: ${question} | ${differing(sides)}`;
}

/** The sentences in which two texts differ. */
function differing([a, b]: readonly [string, string]): string {
  const sentences = (text: string) => text.split(/(?<=[.!?])\s+/);
  const [inA, inB] = [sentences(a), sentences(b)];
  return [inA.filter((one) => !inB.includes(one)), inB.filter((one) => !inA.includes(one))]
    .map((sentence) => shortened(sentence.join(" ")))
    .join(" | ");
}

/** What says the same may be left out, but not in silence. */
async function saidAgain(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const tally = new Tally(["left out", "in silence"], ["all"]);
  const failures: string[] = [];
  const made = repetitions(size, seed);
  const pathOf = (at: number) => `${path}/${Math.floor(at / GROUP)}`;
  const ids = await api.store(
    made.flatMap(({ first, again }, at) => [first, again].map((content) => ({ content, path: pathOf(at) }))),
  );
  for (const [at, { kind, first, again, question }] of made.entries()) {
    const pair = { ids: [ids[2 * at] as string, ids[2 * at + 1] as string] };
    const had = judged(pair, await api.context({ query: question, path: pathOf(at), ...EVERYTHING }));
    const isSilent = had["left out in silence"];
    tally.add(["all", kind], { "left out": isSilent || had["as repetition"], "in silence": isSilent });
    if (isSilent)
      failures.push(`repetition by ${kind}, left out in silence: ${shortened(first)} | ${shortened(again)}`);
  }
  return {
    tables: [tally.table("Pairs that say the same", "percent", "In % of the pairs.")],
    failures,
  };
}
