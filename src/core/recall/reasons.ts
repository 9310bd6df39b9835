/** What each signal says of a hit when it counts for something. */
const REASONS: Readonly<Record<string, string>> = {
  lexical: "its words, or words near them in meaning, match the query",
  dense: "it is close to the query in meaning",
  speaker: "the query names who said it",
  date: "it is of a date the query names",
  time_range: "it is of the time the query is about",
  recency: "it is recent",
  session: "it was said in a session about this",
  update: "it updates an earlier memory",
  answer: "it follows a question like this one",
  time: "it says when, and the query asks when",
  working: "working memories were preferred",
  own_session: "it is of this request's own session",
  superseded: "a later memory says nearly the same",
  question: "it is a question itself",
  full_text: "the database's full-text search found it",
};

/** Below this a signal is not worth a sentence. In the ranker's units. */
const TELLING = 0.05;

/** Why a hit stands where it does, strongest first; what counts against it too. */
export function reasonsOf(signals: Readonly<Record<string, number>>): string[] {
  return Object.entries(signals)
    .filter(([, value]) => Math.abs(value) >= TELLING)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, value]) => `${value > 0 ? "+" : "−"} ${REASONS[name] ?? name}`);
}
