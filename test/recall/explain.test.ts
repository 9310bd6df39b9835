/** An explanation names only what is so of the memory and of the query. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner, stored } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Explanation {
  readonly rank_score: number;
  readonly signals: Record<string, number>;
  readonly reasons: string[];
}
interface Result {
  readonly id: string;
  readonly content: string;
  readonly memory_type: string;
  readonly source: string | null;
  readonly provenance: { readonly session_id?: string };
  readonly explanation: Explanation;
}

/** What a sentence speaks of, by words that it has. */
const SPEAKS_OF: readonly (readonly [RegExp, string])[] = [
  [/words beside it in its session|its words, or words near/, "lexical"],
  [/quotes or identifies/, "exact"],
  [/name, number or compound/, "named"],
  [/nearer to the query in meaning|its meaning has (something|nothing) in common/, "dense"],
  [/where they stand/, "late"],
  [/names who said it/, "speaker"],
  [/its date fits/, "date"],
  [/of the time the query is about/, "time_range"],
  [/it is recent/, "recency"],
  [/the session it was said in/, "session"],
  [/updates an earlier/, "update"],
  [/follows a question/, "answer"],
  [/the query asks when/, "time"],
  [/working memories were preferred/, "working"],
  [/request's own session/, "own_session"],
  [/says nearly the same/, "superseded"],
  [/with another value/, "newest"],
  [/a question itself/, "question"],
];

function signalOf(reason: string): string {
  const found = SPEAKS_OF.filter(([words]) => words.test(reason));
  expect({ reason, speaksOf: found.length }).toEqual({ reason, speaksOf: 1 });
  return (found[0] as readonly [RegExp, string])[1];
}

async function search(client: Client, query: string, ask: object = {}, headers = {}): Promise<Result[]> {
  const { status, body } = await client.post(
    "/v1/memories/search",
    { query, explain: true, limit: 50, ...ask },
    headers,
  );
  expect(status).toBe(200);
  return body.results;
}

const NOUNS = [
  "lighthouse",
  "keeper",
  "invoice",
  "harbour",
  "Lisbon",
  "INV-2041",
  "tea",
  "Friday",
  "May 2026",
];
const memory = fc.record({
  words: fc.subarray(NOUNS, { minLength: 1, maxLength: 3 }),
  asks: fc.boolean(),
  session: fc.constantFrom(null, null, "s-1", "s-2"),
  working: fc.boolean(),
  source: fc.constantFrom(null, "Ada", "Bob"),
});
const asked = fc.record({
  words: fc.subarray([...NOUNS, "zebra", "Ada"], { minLength: 1, maxLength: 3 }),
  form: fc.constantFrom("", "When was the", "I was at the", "last week the"),
  retrievers: fc.constantFrom("hybrid", "hybrid", "lexical", "dense"),
  prefer_working: fc.boolean(),
  session: fc.constantFrom(null, "s-1"),
});

test("whatever is stored and asked, each reason speaks of a signal that is there, and is so", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(memory, { minLength: 1, maxLength: 8 }),
      fc.array(asked, { minLength: 4, maxLength: 4 }),
      async (memories, queries) => {
        const client = await world.client({ owner: freshOwner() });
        const items = memories.map(({ words, asks, session, working, source }, at) => ({
          content: asks
            ? `What is ${words.join(" and ")} ${at}?`
            : `Number ${at} is ${words.join(" with ")}.`,
          path: "p",
          memory_type: working ? "working" : "semantic",
          ...(source === null ? {} : { source }),
          ...(session === null ? {} : { provenance: { session_id: session } }),
        }));
        expect((await client.post("/v1/memories/batch", { items })).status).toBe(200);
        for (const { words, form, retrievers, prefer_working, session } of queries) {
          const headers: Record<string, string> = session === null ? {} : { "x-session-id": session };
          const query = `${form} ${words.join(" ")}`.trim();
          for (const result of await search(client, query, { retrievers, prefer_working }, headers)) {
            requireTruth(result, { prefer_working, session, retrievers });
            const why = await client.post(
              "/v1/recall/why",
              { query, memory_id: result.id, retrievers, prefer_working },
              headers,
            );
            expect(Object.keys(why.body.signals).sort()).toEqual(
              Object.keys(result.explanation.signals).sort(),
            );
            expect(why.body.reasons).toEqual(expect.arrayContaining(result.explanation.reasons));
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

/** What can be told from the answer and the request alone. */
function requireTruth(
  { memory_type, source, provenance, content, explanation }: Result,
  ask: { prefer_working: boolean; session: string | null; retrievers: string },
): void {
  const { signals, reasons, rank_score } = explanation;
  for (const value of Object.values(signals)) expect(value).not.toBe(0);
  expect(Object.values(signals).reduce((sum, value) => sum + value, 0)).toBeCloseTo(rank_score, 10);
  const spoken = reasons.map(signalOf);
  expect(new Set(spoken).size).toBe(spoken.length);
  for (const [at, signal] of spoken.entries()) {
    const value = signals[signal] as number;
    expect(Math.sign(value)).toBe(reasons[at]?.startsWith("+") ? 1 : -1);
  }
  const isIn = (signal: string) => signal in signals;
  if (provenance.session_id === undefined) {
    expect(isIn("session")).toBe(false);
    expect(reasons.join("\n")).not.toContain("session");
  }
  if (isIn("own_session")) expect(provenance.session_id).toBe(ask.session);
  if (isIn("working")) expect([ask.prefer_working, memory_type]).toEqual([true, "working"]);
  if (isIn("speaker")) expect(source).not.toBeNull();
  if (isIn("question")) expect(content).toMatch(/\?$/);
  if (ask.retrievers !== "hybrid") expect(Object.keys(signals)).toEqual([ask.retrievers]);
}

test("a memory that has none of the query's words does not claim them: its session's do", async () => {
  const client = await world.client({ owner: freshOwner() });
  const inSession = { provenance: { session_id: "s" } };
  await stored(client, { content: "Who is the lighthouse keeper?", ...inSession });
  const answer = await stored(client, { content: "Ada, since 1970.", ...inSession });
  await stored(client, { content: "The crane needs oil." });
  const results = await search(client, "lighthouse");
  const found = results.find(({ id }) => id === answer) as Result;
  const { reasons } = found.explanation;
  expect(reasons.join("\n")).toContain("words beside it in its session match the query");
  expect(reasons.join("\n")).not.toContain("its words");
});

test("what the vectors alone find unlike is not called like", async () => {
  const client = await world.client({ owner: freshOwner() });
  for (const content of [
    "The crane needs oil.",
    "Deploy on Friday with Bob.",
    "The invoice INV-2041 was paid.",
  ])
    await stored(client, { content });
  for (const { explanation } of await search(client, "INV-2041", { retrievers: "dense" })) {
    const unlike = explanation.reasons.filter((reason) => reason.startsWith("−"));
    for (const reason of unlike) expect(reason).toBe("− its meaning has nothing in common with the query's");
  }
});

test("what no retriever proposes is told no place among memories that are not there", async () => {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client, { content: "The crane needs oil." });
  const ask = { query: "zebra", memory_id: id, retrievers: "lexical" };
  const { outcome, reasons } = (await client.post("/v1/recall/why", ask)).body;
  expect({ outcome, reasons }).toEqual({
    outcome: "not_proposed",
    reasons: ["− no retriever proposed it", "− none of its words matches the query"],
  });
});

test("a score just below a threshold reads so", async () => {
  const client = await world.client({ owner: freshOwner() });
  const id = await stored(client, { content: "The crane needs oil." });
  await stored(client, { content: "The lighthouse keeper is Ada." });
  const { score } = (await client.post("/v1/recall/why", { query: "crane", memory_id: id })).body;
  const threshold = Math.ceil(score * 100) / 100;
  const below = await client.post("/v1/recall/why", { query: "crane", memory_id: id, threshold });
  expect(below.body.outcome).toBe("below_threshold");
  const [, told] = /score of ([\d.]+) is below/.exec(below.body.reasons.at(-1)) ?? [];
  expect(Number(told)).toBeLessThan(threshold);
});
