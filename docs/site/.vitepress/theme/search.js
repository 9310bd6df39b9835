// Search over the sections of all pages: small enough to be read through for each question.

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Matches a word that begins with the term. `_` belongs to words, so that `user_id` is one. */
const startOf = (term) => new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(term)}`, "giu");

export function termsOf(query) {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu) ?? [])];
}

/** Returns the best sections, each with the sentence that says most of the query. */
export function search(sections, query, limit = 20) {
  const terms = termsOf(query).map((term) => ({ pattern: startOf(term), whole: term }));
  if (terms.length === 0) return [];
  const matched = sections.map((section) => terms.map(({ pattern }) => countsIn(section, pattern)));
  const weights = terms.map((_, at) => {
    const holding = matched.filter((counts) => counts[at].any).length;
    return Math.log(1 + sections.length / (1 + holding));
  });
  return sections
    .map((section, at) => ({ section, score: scoreOf(matched[at], weights) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ section }) => ({ ...section, sentence: bestSentence(section.text, terms) }));
}

const count = (text, pattern) => text.match(pattern)?.length ?? 0;

function countsIn({ page, heading, text }, pattern) {
  const [inPage, inHeading, inText] = [count(page, pattern), count(heading, pattern), count(text, pattern)];
  return { inPage, inHeading, inText, any: inPage + inHeading + inText > 0 };
}

/** A section that lacks a rare term ranks below those that have it. */
function scoreOf(counts, weights) {
  const held = counts.reduce((sum, { any }, at) => sum + (any ? weights[at] : 0), 0);
  const score = counts.reduce(
    (sum, { inPage, inHeading, inText }, at) =>
      sum + weights[at] * (2 * Math.min(inPage, 1) + 4 * Math.min(inHeading, 1) + inText / (inText + 1)),
    0,
  );
  return held === 0 ? 0 : score + 10 * held;
}

/** The sentence with the most terms, and around the first of them if it is long. */
function bestSentence(text, terms) {
  const held = (sentence) => terms.filter(({ pattern }) => count(sentence, pattern) > 0).length;
  let best = "";
  let most = -1;
  for (const sentence of text.split(/\n+|(?<=[.!?])\s+/)) {
    const here = held(sentence);
    if (here > most) [best, most] = [sentence.trim(), here];
  }
  const first = Math.min(
    ...terms.map(({ pattern }) => best.search(pattern)).filter((at) => at >= 0),
    best.length,
  );
  const from = best.length <= 180 || first < 90 ? 0 : best.lastIndexOf(" ", first - 60) + 1;
  return `${from > 0 ? "… " : ""}${best.slice(from, from + 180)}${best.length > from + 180 ? " …" : ""}`;
}

/** Cuts a text into parts, those that match a term marked. */
export function marked(text, query) {
  const terms = termsOf(query);
  if (terms.length === 0) return [{ text, isMatch: false }];
  const pattern = new RegExp(`((?<![\\p{L}\\p{N}_])(?:${terms.map(escaped).join("|")}))`, "giu");
  return text.split(pattern).map((part, at) => ({ text: part, isMatch: at % 2 === 1 }));
}
