/** The packing of sections, for any workspace and limits. */
import fc from "fast-check";
import { countTokens as exact } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { own } from "../../src/contract/own-words.ts";
import { type ContextDomain, contextDomains } from "../../src/contract/project-context.ts";
import {
  type Detail,
  details,
  quoteLines,
  renderFrame,
  renderHeader,
} from "../../src/core/context/render.ts";
import type { Entry, Shown } from "../../src/core/project/context/entry.ts";
import { packEntries } from "../../src/core/project/context/pack.ts";
import { UNPACED } from "../../src/recall/work.ts";
import { runs, SEED } from "../support/random.ts";

const PACKS = runs(600);
const MINUTES = 30 * 60_000;
const STATE = own`Project "apollo": unfinished todos 3, open decisions 1. Health: on track.
`;
const NOTHING = own`Project "apollo": nothing is stored that this credential sees.
`;

/** What an entry is made of: at `home` stands the place of the entry whose text it refers to. */
interface Made {
  readonly domain: ContextDomain;
  readonly value: number;
  readonly content: string | null;
  readonly home: number | null;
}

const sentence = fc
  .tuple(fc.constantFrom("gateway", "parser", "queue"), fc.integer({ min: 0, max: 999 }))
  .map(([what, times]) => `The ${what} must retry ${times} times.`);
const content = fc.oneof(
  { weight: 6, arbitrary: fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(" ")) },
  { weight: 2, arbitrary: fc.array(sentence, { minLength: 20, maxLength: 60 }).map((all) => all.join(" ")) },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(4000), "界".repeat(900), "### Recollect Context\n#### 1. todo"),
  },
);
const made = fc.record<Made>({
  domain: fc.constantFrom(...contextDomains),
  value: fc.double({ min: 0.01, max: 1, noNaN: true }),
  content,
  home: fc.option(fc.nat(30), { nil: null, freq: 4 }),
});
const limits = fc.record({
  maxItems: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 1000 })),
  maxTokens: fc.oneof(
    fc.integer({ min: 1, max: 80 }),
    fc.integer({ min: 1, max: 2000 }),
    fc.integer({ min: 1, max: 50_000 }),
  ),
});

/** What is known of and not among the entries. */
const besides = fc.record({
  leftAside: fc.dictionary(fc.constantFrom(...contextDomains), fc.nat(50), { maxKeys: 3 }),
  duplicates: fc.nat(5),
});

function entriesOf(all: readonly Made[]): Entry[] {
  const entries = all.map(({ domain, value, content: words, home }, at) => {
    const target = home === null ? null : all[home];
    const isReference = target != null && home !== at && target.content !== null && target.home === null;
    return {
      id: `${domain}:${at}`,
      domain,
      item: `item-${at}`,
      home: isReference ? `${target.domain}:${home}` : null,
      isReference,
      value: isReference ? value / 20 : value,
      content: isReference ? null : words,
      label: (detail: Detail, placeOf: (id: string) => number | null) =>
        [
          detail === "bare" ? "entry" : `entry of ${domain}, high priority, id ${at}`,
          isReference ? `: #${placeOf(`${target.domain}:${home}`) ?? ""}` : "",
        ].join(""),
      score: (part: string) => (part.includes("queue") ? 1 : 0),
      answer: (shown: Shown) => ({ at, ...shown }),
    };
  });
  return entries as unknown as Entry[];
}

async function pack(
  all: readonly Made[],
  { maxItems, maxTokens }: { maxItems: number; maxTokens: number },
  besides: { leftAside: Readonly<Partial<Record<ContextDomain, number>>>; duplicates: number } = {
    leftAside: {},
    duplicates: 0,
  },
) {
  const entries = entriesOf(all);
  const packed = await packEntries(
    {
      entries,
      ...besides,
      maxItems,
      maxTokens,
      state: STATE,
      nothing: NOTHING,
    },
    UNPACED,
  );
  const answers = contextDomains.flatMap(
    (domain) => packed.sections[domain] as unknown as (Shown & { readonly at: number })[],
  );
  return { entries, packed, answers };
}

test(
  `SEED ${SEED}: ${PACKS} workspaces keep to both limits, and say truly what is in and what is not`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(made, { maxLength: 40 }), limits, besides, async (all, given, known) => {
        const { entries, packed, answers } = await pack(all, given, known);
        const { budget, text } = packed;
        expect(budget.used_tokens).toBe(exact(text, { disallowedSpecial: new Set() }));
        expect(budget.used_tokens).toBeLessThanOrEqual(given.maxTokens);
        expect(budget.used_items).toBe(answers.length);
        expect(answers.length).toBeLessThanOrEqual(given.maxItems);
        expect(text.split("\n").filter((line) => line.startsWith("#### "))).toHaveLength(answers.length);
        // What the entries cost is all that the text has besides its head.
        const head = text.slice(0, text.indexOf("#### ") === -1 ? undefined : text.indexOf("#### "));
        const sum = answers.reduce((total, { tokens }) => total + tokens, exact(head));
        if (answers.length > 0) expect(sum).toBe(budget.used_tokens);
        const { filtered_items, structured_skipped_items, budget_skipped_items } = budget;
        const aside = Object.values(known.leftAside).reduce((sum, count) => sum + count, 0);
        expect(filtered_items).toBe(known.duplicates);
        expect(budget.used_items + budget.skipped_items).toBe(all.length + aside + known.duplicates);
        expect(budget.candidate_items).toBe(all.length + aside + known.duplicates);
        expect(filtered_items + structured_skipped_items + budget_skipped_items).toBe(budget.skipped_items);
        const isIn = new Set(answers.map(({ at }) => at));
        for (const domain of contextDomains) {
          const ours = entries.flatMap((entry, at) => (entry.domain === domain ? [at] : []));
          const isAside = (known.leftAside[domain] ?? 0) > 0;
          const isCut =
            isAside ||
            ours.some((at) => !isIn.has(at)) ||
            answers.some((one) => ours.includes(one.at) && one.truncated);
          expect([packed.missing.includes(domain), packed.incomplete.includes(domain)]).toEqual([
            ours.length === 0 && !isAside,
            isCut,
          ]);
        }
        for (const { at, text: words, shown_in } of answers) {
          const { home, isReference } = entries[at] as Entry;
          // A reference is never without what it refers to.
          if (isReference) expect([words, shown_in]).toEqual([null, home?.split(":")[0]]);
          else expect(shown_in).toBeNull();
        }
        for (const { id } of packed.omitted) expect(isIn.has(Number(id.slice(5)))).toBe(false);
      }),
      { numRuns: PACKS, seed: SEED },
    );
  },
  MINUTES,
);

test(
  "the best is always there, at least as an excerpt, where 60 tokens are to be had",
  async () => {
    const all = fc.array(made, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        all,
        fc.integer({ min: 60, max: 3000 }),
        fc.integer({ min: 1, max: 9 }),
        async (some, maxTokens, maxItems) => {
          const { entries, answers } = await pack(some, { maxItems, maxTokens });
          // What only refers to something else is never the best.
          const best = Math.max(
            ...entries.filter(({ isReference }) => !isReference).map(({ value }) => value),
          );
          expect(answers.map(({ at }) => (entries[at] as Entry).value)).toContain(best);
        },
      ),
      { numRuns: PACKS, seed: SEED },
    );
  },
  MINUTES,
);

/** The tokens of an entry as it would stand under that frame. */
function costOf(entry: Entry, detail: Detail, number: number): number {
  const words = entry.content === null ? "" : quoteLines(entry.content);
  return exact(
    renderHeader(
      number,
      entry.label(detail, () => number),
    ) + words,
  );
}

test(
  "of few, no other choice with the best in it is worth more",
  async () => {
    const short = made.map((one): Made => ({ ...one, home: null }));
    const few = fc.array(short, { minLength: 1, maxLength: 7 });
    const within = fc.record({
      maxItems: fc.integer({ min: 1, max: 5 }),
      maxTokens: fc.integer({ min: 60, max: 400 }),
    });
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(few, within, async (all, given) => {
        fc.pre(all.every((one) => one.content === null || /^The [^.]+\.$/.test(one.content)));
        const { entries, packed, answers } = await pack(all, given);
        if (answers.some(({ truncated }) => truncated) || answers.length === 0) return;
        const frames = details.map((detail) => renderFrame(detail) + (detail === "full" ? STATE : ""));
        const used = frames.findIndex((frame) => packed.text.startsWith(`${frame}#### `));
        const [detail, frame] = [details[used] as Detail, frames[used] as string];
        const costs = entries.map((entry) => costOf(entry, detail, Math.min(given.maxItems, entries.length)));
        const top = entries.reduce(
          (best, entry, at) => (entry.value > (entries[best] as Entry).value ? at : best),
          0,
        );
        let best = 0;
        for (let set = 0; set < 2 ** entries.length; set += 1) {
          const chosen = entries.map((_, at) => at).filter((at) => (set >> at) & 1);
          const cost = chosen.reduce((sum, at) => sum + (costs[at] as number), exact(frame));
          if (!chosen.includes(top) || chosen.length > given.maxItems || cost > given.maxTokens) continue;
          best = Math.max(
            best,
            chosen.reduce((sum, at) => sum + (entries[at] as Entry).value, 0),
          );
        }
        const worth = answers.reduce((sum, { at }) => sum + (entries[at] as Entry).value, 0);
        expect(worth).toBeGreaterThanOrEqual(best - 1e-9);
        compared += 1;
      }),
      { numRuns: PACKS, seed: SEED, maxSkipsPerRun: 1000 },
    );
    expect(compared).toBeGreaterThan(PACKS / 10);
  },
  MINUTES,
);
