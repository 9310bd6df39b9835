import type { Random } from "../support/random.ts";
import type { Answer } from "../support/world.ts";
import type { Asker, Field } from "./field.ts";
import type { Filter, Shown } from "./model.ts";

const FILTERS: readonly Filter[] = [
  {},
  {},
  { path: "in" },
  { path: "in/%" },
  { path: "out" },
  { bucket: "b0" },
  { status: "soft_deleted" },
];

/** Asks for a word, of which the newest are the most interesting, or for whatever matches a filter. */
export async function search(field: Field, random: Random): Promise<string | null> {
  const asker = random.pick(field.askers);
  const { memories } = field.model;
  const memory = memories[memories.length - 1 - random.below(random.below(3) === 0 ? memories.length : 60)];
  if (!memory || random.below(4) === 0) return searchAll(field, random, asker);
  const { word } = random.pick(memory.history.spans.slice(-3)).value;
  return random.below(5) === 0 ? context(field, random, asker, word) : searchFor(field, random, asker, word);
}

/** What is wrong with the answer to a search for one word; null where nothing is. */
export async function searchFor(
  field: Field,
  random: Random,
  asker: Asker,
  word: string,
): Promise<string | null> {
  const path = `/v1/memories/search?query=${word}&limit=${5 + random.below(10)}`;
  return asked(field, random, asker, {}, (client) => client.get(path), "results", word);
}

async function searchAll(field: Field, random: Random, asker: Asker): Promise<string | null> {
  const filter = random.pick(FILTERS);
  const members = new URLSearchParams({ query: "the book of the garden", limit: "100", ...filter });
  return asked(
    field,
    random,
    asker,
    filter,
    (client) => client.get(`/v1/memories/search?${members}`),
    "results",
  );
}

async function context(field: Field, random: Random, asker: Asker, word: string): Promise<string | null> {
  const question = { query: `What did the gardener say of ${word}?`, max_items: 5 };
  return asked(field, random, asker, {}, (client) => client.post("/v1/recall/context", question), "items");
}

async function asked(
  { model, searches }: Field,
  random: Random,
  asker: Asker,
  filter: Filter,
  send: (client: Asker["clients"][number]) => Promise<Answer>,
  member: "results" | "items",
  word?: string,
): Promise<string | null> {
  const from = model.clock.tick();
  const { status, body } = await send(random.pick(asker.clients));
  const to = model.clock.tick();
  // An agent may have been bound meanwhile: its token has ended.
  if (status === 401 && asker.token.owner.startsWith("agent")) return null;
  if (status !== 200) return `a search was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`;
  const degraded: string[] = body.degraded ?? body.retrieval_plan?.degraded ?? [];
  searches.all += 1;
  if (degraded.length > 0) searches.degraded += 1;
  // Slowness is the machine's; anything else is a fault.
  const why = degraded.find((reason) => !reason.includes("in time"));
  if (why !== undefined) return `${asker.token.name} was answered by a fallback: ${why}`;
  const shown = (body[member] as Shown[]).filter(({ content }) => content !== "[redacted]");
  return model.fault(asker.token, { from, to }, shown, filter, word);
}
