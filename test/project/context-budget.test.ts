import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextDomains } from "../../src/contract/project-context.ts";
import { stored } from "../support/acting.ts";
import { createRandom, runs, SEED } from "../support/random.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { allEntries, entriesOf, type Pack, packOf, WIDE } from "./pack.ts";
import { freshProject, ok, workspaceOf } from "./workspace.ts";

let world: World;
let client: Client;
let project: string;
let wide: Pack;

const random = createRandom(SEED);
const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
const sentence = (at: number) =>
  `Item ${at}: the ${random.pick(["gateway", "ledger", "parser", "queue"])} must ${random.pick(["retry", "log", "stop"])} after ${random.below(900)} attempts.`;
const words = (at: number) => Array.from({ length: 1 + random.below(12) }, () => sentence(at)).join(" ");

beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
  project = freshProject();
  const provenance = { project_id: project };
  for (let at = 0; at < 24; at += 1) {
    const mine = workspaceOf(client, project, `agent-${at % 5}`);
    const { todo_id } = await ok(
      mine.todo({ content: words(at), priority: random.pick(["low", "normal", "high", "urgent"]) }),
    );
    if (at % 3 === 0) await ok(mine.act(todo_id, "accept"));
    if (at % 7 === 0) await ok(mine.act(todo_id, "block", { reason: "waiting" }));
    const { decision_id } = await ok(mine.decision({ context: words(at) }));
    if (at % 2 === 0) await ok(mine.decide(decision_id, "resolve", { resolution: "Yes." }));
    await stored(client, { content: words(at), provenance, path: `notes/${at}` });
  }
  wide = await packOf(client, project, WIDE);
});
afterAll(() => world.close());

/** What holds for every pack, whatever its limits. */
function expectSound(pack: Pack, limits: { max_items: number; max_tokens: number }): void {
  const { budget, context_text } = pack;
  const entries = allEntries(pack);
  expect(budget).toMatchObject({ ...limits, used_items: entries.length, token_scope: "context_text" });
  expect(budget.used_tokens).toBe(exact(context_text));
  expect(budget.used_tokens).toBeLessThanOrEqual(limits.max_tokens);
  expect(entries.length).toBeLessThanOrEqual(limits.max_items);
  expect(entries.reduce((sum, { entry }) => sum + entry.tokens, 0)).toBeLessThanOrEqual(budget.used_tokens);
  const cut = entries.filter(({ entry }) => entry.truncated);
  expect(budget.truncated_items).toBe(cut.length);
  // An item's text stands once; where it does not stand, what is named shows it.
  const shown = new Map<string, string>();
  for (const { domain, entry } of entries) {
    if (typeof entry.text !== "string") continue;
    expect(shown.has(entry.id)).toBe(false);
    expect(entry.shown_in).toBeNull();
    shown.set(entry.id, domain);
  }
  for (const { entry } of entries)
    if (entry.text === null && entry.shown_in !== undefined && entry.shown_in !== null)
      expect(shown.get(entry.id)).toBe(entry.shown_in);
  expect(pack.omitted.length).toBeLessThanOrEqual(5);
  for (const { id, domain } of pack.omitted)
    expect(entriesOf(pack, domain).map((entry) => entry.id)).not.toContain(id);
}

/** `missing_domains` and `incomplete_domains` against a pack that nothing was cut from. */
function expectTold(pack: Pack, whole: Pack): void {
  const told = { missing: pack.missing_domains, incomplete: pack.incomplete_domains };
  const missing = contextDomains.filter((domain) => entriesOf(whole, domain).length === 0);
  // What the pack says of itself depends on what it could show, so that only sections of stored things are compared.
  const isStored = (domain: string) => !["governance_caveats", "suggested_next_actions"].includes(domain);
  const incomplete = contextDomains.filter(
    (domain) =>
      entriesOf(pack, domain).length < entriesOf(whole, domain).length ||
      entriesOf(pack, domain).some(({ truncated }) => truncated),
  );
  const stored = (names: readonly string[]) => names.filter(isStored).sort();
  expect({ missing: stored(told.missing), incomplete: stored(told.incomplete) }).toEqual({
    missing: stored(missing),
    incomplete: stored(incomplete),
  });
  expect(pack.project_state).toEqual(whole.project_state);
  const items = ["action_items", "decisions", "durable_context", "recent_memories"] as const;
  const hasLost = items.some((domain) => entriesOf(pack, domain).length < entriesOf(whole, domain).length);
  expect(pack.omitted.length > 0).toBe(hasLost);
}

test("a pack with room for everything leaves nothing out", () => {
  expectSound(wide, WIDE);
  expect(wide.incomplete_domains).toEqual([]);
  expect(wide.omitted).toEqual([]);
  expect(wide.action_items).toHaveLength(24);
  expect(wide.decisions).toHaveLength(24);
  for (const { entry } of allEntries(wide)) expect(entry.truncated ?? false).toBe(false);
});

test(`SEED ${SEED}: both limits hold, and what was cut is told, whatever the limits`, async () => {
  const tokens = [1, 2, 3, 5, 8, 9, 10, 12, 15, 20, 30, 50, 90, 150, 400, 900, 2000, 50_000];
  for (let run = 0; run < runs(60); run += 1) {
    const limits = {
      max_items: random.pick([1, 2, 3, 1 + random.below(100), 1000]),
      max_tokens: run < tokens.length ? (tokens[run] as number) : 1 + random.below(6000),
    };
    const pack = await packOf(client, project, limits);
    expectSound(pack, limits);
    expectTold(pack, wide);
  }
}, 300_000);

test("more tokens never show fewer of a workspace's entries than a tenth of them did", async () => {
  let before = 0;
  for (const max_tokens of [50, 500, 5000, 50_000]) {
    const { budget } = await packOf(client, project, { max_items: 1000, max_tokens });
    expect(budget.used_items).toBeGreaterThanOrEqual(before);
    before = budget.used_items;
  }
});

test("one decision of 2,400 tokens in a budget of 900 is an excerpt of itself, never nothing", async () => {
  const there = freshProject();
  const long = Array.from({ length: 240 }, (_, at) => `Reason ${at} speaks for the queue.`).join(" ");
  expect(exact(long)).toBeGreaterThan(1800);
  const { decision_id } = await ok(workspaceOf(client, there).decision({ context: long }));
  for (const max_tokens of [900, 300, 120]) {
    const pack = await packOf(client, there, { max_tokens });
    expectSound(pack, { max_items: 100, max_tokens });
    expect(pack.decisions).toMatchObject([{ id: decision_id, truncated: true }]);
    const { text } = pack.decisions[0];
    // How much is left for its words depends on its ids, which are random: of the smallest budget little.
    if (max_tokens < 300) expect(long).toContain(wordsIn(text));
    else expect(text).toMatch(/Reason \d+ speaks for the queue/);
    expect(pack.context_text).toContain(pack.decisions[0].text.split("…").join("").slice(0, 20));
    expect(pack.incomplete_domains).toContain("decisions");
    expect(pack.missing_domains).not.toContain("decisions");
  }
});

/** What an excerpt has of the text between its marks: at least one word. */
function wordsIn(excerpt: string): string {
  const words = excerpt.split("…").find((part) => /\w{3}/.test(part));
  if (words === undefined) throw new Error(`"${excerpt}" says nothing`);
  return words.trim();
}

test("one item of 64 KiB without a single space, in small and large budgets", async () => {
  const there = freshProject();
  await ok(workspaceOf(client, there).todo({ content: "x".repeat(65_536) }));
  await ok(workspaceOf(client, there).decision({ context: "界".repeat(65_536) }));
  for (const max_tokens of [1, 40, 200, 900, 8000, 50_000]) {
    const pack = await packOf(client, there, { max_tokens });
    expect(pack.budget.used_tokens).toBeLessThanOrEqual(max_tokens);
    if (max_tokens >= 900) expect([pack.action_items.length, pack.decisions.length]).toEqual([1, 1]);
  }
});

test("an empty workspace is empty, with every section missing, in every budget", async () => {
  for (const max_tokens of [1, 5, 8, 20, 8000]) {
    const pack = await packOf(client, freshProject(), { max_tokens });
    expectSound(pack, { max_items: 100, max_tokens });
    expect(pack.project_state).toMatchObject({ health: "empty", last_activity_at: null });
    expect(allEntries(pack)).toEqual([]);
    expect([...pack.missing_domains].sort()).toEqual([...contextDomains].sort());
    expect(pack.incomplete_domains).toEqual([]);
  }
});

test("without durable context its section is empty, and neither missing nor cut", async () => {
  const pack = await packOf(client, project, { include_durable_context: false, ...WIDE });
  expect(pack.durable_context).toEqual([]);
  expect([...pack.missing_domains, ...pack.incomplete_domains]).not.toContain("durable_context");
});
