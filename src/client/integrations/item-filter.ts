/** Conditions on the members of an item's value: values to equal, or operators with operands. */
export type ItemFilter = Readonly<Record<string, unknown>>;

type Comparison = (held: unknown, asked: unknown) => boolean;

/** Comparisons as in LangGraph's in-memory store. Objects and arrays equal nothing. */
const OPERATORS: Readonly<Record<string, Comparison>> = {
  $eq: (held, asked) => held === asked,
  $ne: (held, asked) => held !== asked,
  $gt: (held, asked) => Number(held) > Number(asked),
  $gte: (held, asked) => Number(held) >= Number(asked),
  $lt: (held, asked) => Number(held) < Number(asked),
  $lte: (held, asked) => Number(held) <= Number(asked),
  $in: (held, asked) => Array.isArray(asked) && asked.includes(held),
  $nin: (held, asked) => !Array.isArray(asked) || !asked.includes(held),
};

export function isMatching(
  value: Readonly<Record<string, unknown>>,
  filter: ItemFilter | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([member, wanted]) => isMet(value[member], wanted));
}

function isMet(held: unknown, wanted: unknown): boolean {
  if (!isComparison(wanted)) return held === wanted;
  return Object.entries(wanted).every(([operator, asked]) => OPERATORS[operator]?.(held, asked));
}

function isComparison(wanted: unknown): wanted is Readonly<Record<string, unknown>> {
  if (typeof wanted !== "object" || wanted === null) return false;
  return Object.keys(wanted).every((name) => Object.hasOwn(OPERATORS, name));
}
