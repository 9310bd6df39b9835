/** An answer as the comparison needs it. */
export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

/** Disagrees unless the answer is a refusal with one of the codes. */
export function refused(body: Told["body"], codes: readonly string[]): string | null {
  if (codes.includes(body.code)) return null;
  return `should be refused with ${[...new Set(codes)].join(" or ")}, was answered ${brief(body)}`;
}

/** Disagrees unless the two are equal, members in order. */
export function same(actual: unknown, expected: unknown, what: string): string | null {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  return a === b ? null : `${what} should be ${b}, was ${a}`;
}

/** The beginning of an answer, for a message. */
export function brief(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 400) ?? "nothing";
}
