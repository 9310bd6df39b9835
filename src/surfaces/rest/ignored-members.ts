/** How many ignored members an answer names. */
const NAMED_MAX = 10;

/** What may stand in the header as it is. Any other name is counted: it could break the header, or be of any length. */
const NAMEABLE = /^[A-Za-z0-9_.-]{1,64}$/;

/** Names what was sent and not looked at: `colour, mood`, with `+3` at the end for those that it does not name. */
export function ignoredHeader(names: readonly string[]): Record<string, string> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return {};
  const named = distinct.filter((name) => NAMEABLE.test(name)).slice(0, NAMED_MAX);
  const rest = distinct.length - named.length;
  return { "x-recollect-ignored": [...named, ...(rest > 0 ? [`+${rest}`] : [])].join(", ") };
}
