import { createRandom } from "../../../../test/support/random.ts";
import { say } from "../../../chaos/say.ts";
import type { Api, Context, SearchHit } from "../api.ts";
import { withProgress } from "../progress.ts";
import { type Findings, Tally } from "../report.ts";
import type { Given } from "../suite.ts";
import { holds } from "./holds.ts";
import { KINDS } from "./kinds.ts";
import { type IdentifierMemory, identifierSet, LENGTH_MAX, PLACES_IN_TEXT } from "./memories.ts";
import { FORMS } from "./questions.ts";

const HITS = 10;
const BANDS = [1000, 5000, 20_000, LENGTH_MAX] as const;
type Form = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as Form[];
const KIND_NAMES = KINDS.map(({ name }) => name);

/** Each identifier is named by one memory, among look-alikes, and asked for in one of the forms. */
export async function identifiers(api: Api, { path, size, seed }: Given): Promise<Findings> {
  const { memories, unknown, others } = identifierSet(size, seed);
  const characters = memories.reduce((sum, { content }) => sum + content.length, 0);
  say(
    `identifiers: ${memories.length} memories of ${characters} characters, ${others} other identifiers in them`,
  );
  const ids = await api.store(memories.map(({ content }) => ({ content, path })));
  const random = createRandom(seed + 1);
  const rows = ["all", ...FORM_NAMES, ...PLACES_IN_TEXT.map(placeRow), ...BANDS.map(bandRow), ...KIND_NAMES];
  const tally = new Tally(["right one first", "in the pack", "with its passage", "confirmed"], rows);
  const failures: string[] = [];
  say("identifiers: the questions begin");
  for (const [at, memory] of withProgress("identifiers", "questions", memories)) {
    const form = formOf(at);
    const query = FORMS[form](memory.id, memory.kind, random);
    const id = ids[at] as string;
    const hits = await api.search({ query, path, limit: HITS });
    const context = await api.context({ query, path });
    const had = judged(memory, id, hits, context);
    tally.add(rowsOf(memory, form), had);
    if (!(had["right one first"] && had["with its passage"]))
      failures.push(failureOf(memory, query, { hits, context, id }));
  }
  const nobody = new Tally(["confirmed", "with a pack"], rows);
  for (const [at, { id, kind }] of withProgress("identifiers", "unknown", unknown)) {
    const form = formOf(at);
    const query = FORMS[form](id, kind, random);
    const context = await api.context({ query, path });
    const isConfirmed = context.answer_status === "confirmed_answer";
    nobody.add(["all", form, kind.name], { confirmed: isConfirmed, "with a pack": context.items.length > 0 });
    if (isConfirmed) failures.push(`${kind.name} ${query}, which nobody has: confirmed_answer`);
  }
  return {
    tables: [
      tally.table("Identifiers that one memory names", "percent", REMARK),
      nobody.table("Identifiers that no memory names", "percent"),
    ],
    failures,
  };
}

const REMARK = `In % of the questions. First: of a search. In the pack: POST /v1/recall/context as it is by default; with its passage: the text names the identifier as a word of its own.`;

function judged(memory: IdentifierMemory, id: string, hits: readonly SearchHit[], context: Context) {
  return {
    "right one first": hits[0]?.id === id,
    "in the pack": context.items.some((item) => item.id === id),
    "with its passage": holds(context.context_text, memory.id),
    confirmed: context.answer_status === "confirmed_answer",
  };
}

/** Forms change after each place was asked for once, so that each meets each. */
const formOf = (at: number) => FORM_NAMES[Math.floor(at / PLACES_IN_TEXT.length) % FORM_NAMES.length] as Form;
const placeRow = (place: string) => `named at the ${place}`;
const bandRow = (length: number) => `up to ${length} characters`;

function rowsOf({ kind, content, place }: IdentifierMemory, form: Form): string[] {
  const band = BANDS.find((length) => content.length <= length) ?? Number.POSITIVE_INFINITY;
  return ["all", form, placeRow(place), bandRow(band), kind.name];
}

function failureOf(
  { kind, content, place }: IdentifierMemory,
  query: string,
  { hits, context, id }: { hits: readonly SearchHit[]; context: Context; id: string },
): string {
  const rank = hits.findIndex((hit) => hit.id === id) + 1;
  const item = context.items.findIndex((one) => one.id === id);
  return [
    `${kind.name} ${query}, named at the ${place} of ${content.length} characters:`,
    rank === 0 ? `not among the first ${HITS},` : `found at ${rank},`,
    item === -1
      ? "not in the pack"
      : `in the pack at ${item + 1}${context.items[item]?.truncated ? ", cut" : ""}`,
    `(${context.answer_status})`,
  ].join(" ");
}
