// Makes the sections that the search looks through: each page, cut at its headings, as plain text.
import { anchorOf } from "./stage.js";

/** The sections of a page of Markdown; `place` is its address in the site. */
export function sectionsOf(text, place) {
  const sections = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^ *(?:```|:::)/.test(line)) {
      isCode = line.includes("```") ? !isCode : isCode;
      continue;
    }
    const [, marks, title] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || [];
    if (title === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ title, anchor: marks === "#" ? "" : `#${anchorOf(title)}`, lines: [] });
  }
  const page = plain(sections[0]?.title ?? "");
  return sections.map(({ title, anchor, lines }, at) => ({
    place: place + anchor,
    page,
    heading: at === 0 ? "" : plain(title),
    text: plain(lines.join("\n")),
  }));
}

/** Sentences one after the other, without the marks of Markdown; list items and rows of tables stay lines of their own. */
function plain(text) {
  return text
    .replaceAll(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>/g, " ")
    .replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)(?:\{[^}]*\})?/g, "$1")
    .replaceAll(/^[-*>|#\s:]+$/gm, "\n")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/\n(?=\s*(?:[-*|]|\d+\.) ?)/g, "\n\n")
    .replaceAll(/(?<!\n)\n(?!\n)/g, " ")
    .replaceAll(/^\s*(?:[-*]|\d+\.) /gm, "")
    .replaceAll(/ *\|(?: *\|)* */g, " · ")
    .replaceAll(/^[ ·]+|[ ·]+$/gm, "")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
}
