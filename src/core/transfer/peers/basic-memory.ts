/**
 * The notes of basic-memory: Markdown files with front matter.
 *
 * | note | here |
 * |---|---|
 * | `- [category] text #tag (context)` | its text with the note's title, `metadata.category`, `tags`, `context` |
 * | `- relation [[Target]] (context)` | "Title relation Target.", `metadata.from`, `relation`, `to`, `context` |
 * | any other text | the title and the text, without the lines above and without empty sections |
 *
 * The path is the file's path without `.md`, such as `basic-memory/people/Alice`. `metadata` has `title`, `permalink`,
 * `note_type` and the front matter's `tags`. Times are the front matter's `created` and `modified`. Without them a note
 * is undated, since a file's modification time changes when it is copied.
 */
import { given, type Make, type PeerRecord, type Place } from "./peer-record.ts";
import { about, relationSentence } from "./sentences.ts";

/** A file of the folder. `problem`: why the file or its front matter cannot be read. */
export interface Note {
  /** The path relative to the folder, with `/` and the extension. */
  readonly file: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly problem?: string;
}

export function noteRecords(place: Place, note: Note, make: Make): PeerRecord[] {
  const { file, frontMatter } = note;
  if (note.problem !== undefined)
    return [{ line: place.line, offset: place.offset, kind: "note", problem: `${file}: ${note.problem}` }];
  const path = file.replace(/\.md$/i, "").split("/");
  const title = textOf(frontMatter.title) ?? path.at(-1) ?? file;
  const tags = tagsOf(frontMatter.tags);
  const common = {
    path,
    createdAt: timeOf(frontMatter.created) ?? timeOf(frontMatter.date),
    updatedAt: timeOf(frontMatter.modified) ?? timeOf(frontMatter.updated),
  };
  const described = given({
    title,
    permalink: textOf(frontMatter.permalink),
    note_type: textOf(frontMatter.type),
  });
  const { observations, relations, prose } = partsOf(note.body);
  const id = textOf(frontMatter.permalink) ?? file;
  const said = observations.map(({ category, text, tags: own, context }) => ({
    ...common,
    kind: "observation",
    key: [id, category, text, context],
    content: about(title, withWords(text, context)),
    metadata: given({ ...described, category, tags: listed([...tags, ...own]), context }),
  }));
  const related = relations.map(({ relation, to, context }) => ({
    ...common,
    kind: "relation",
    key: [id, relation, to, context],
    content: relationSentence(title, relation, withWords(to, context)),
    metadata: given({ ...described, from: title, relation, to, tags: listed(tags), context }),
  }));
  const itself = {
    ...common,
    kind: "note",
    key: [id],
    content: prose === "" ? "" : prose.startsWith(`# ${title}`) ? prose : `# ${title}\n\n${prose}`,
    metadata: given({ ...described, tags: listed(tags) }),
  };
  const records = [...said, ...related].flatMap((memory) => make(place, memory));
  if (prose !== "" || records.length === 0) return [...make(place, itself), ...records];
  return records;
}

interface Observation {
  readonly category: string | null;
  readonly text: string;
  readonly tags: readonly string[];
  readonly context: string | null;
}

interface Relation {
  readonly relation: string;
  readonly to: string;
  readonly context: string | null;
}

function partsOf(body: string) {
  const observations: Observation[] = [];
  const relations: Relation[] = [];
  const rest: Line[] = [];
  let isCode = false;
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const item = isCode ? null : itemIn(line);
    const relation = item === null ? null : relationIn(item);
    const observation = item === null || relation ? null : observationIn(item);
    if (relation) relations.push(relation);
    else if (observation) observations.push(observation);
    else rest.push({ line, level: isCode ? 0 : (/^#{1,6}(?=\s)/.exec(line)?.[0].length ?? 0) });
  }
  return { observations, relations, prose: withoutEmptySections(rest) };
}

function itemIn(line: string): string | null {
  const trimmed = line.trimStart();
  return /^[-*+]\s/.test(trimmed) ? trimmed.slice(2).trim() : null;
}

/**
 * Parses `relation [[Target]] (context)`, with a relation of one word or in quotes. A link among other words is prose.
 * A link by itself has the relation `links_to`.
 */
function relationIn(item: string): Relation | null {
  const from = item.indexOf("[[");
  const to = item.indexOf("]]", from + 2);
  if (from === -1 || to === -1) return null;
  const { text, context } = withContext(item.slice(to + 2).trim());
  const target = item.slice(from + 2, to).trim();
  if (text !== "" || target === "") return null;
  const before = item.slice(0, from).trim();
  const quoted = /^(["'])(.+)\1$/.exec(before)?.[2]?.trim();
  if (!quoted && /[\s[\]]/.test(before)) return null;
  return { relation: quoted || before || "links_to", to: target, context };
}

/**
 * Parses `[category] text #tag (context)`, or a text with a tag. A task, a link or a time in brackets is not a
 * category.
 */
function observationIn(item: string): Observation | null {
  const { category, rest } = withCategory(item);
  const isTask = /^\[.?\]\s/u.test(item);
  if (category === null && isTask) return null;
  const { text, context } = withContext(rest);
  const tags = text
    .split(/\s+/)
    .filter((word) => word.startsWith("#"))
    .flatMap((word) => word.split("#"))
    .filter((tag) => tag !== "");
  if (text === "" || (category === null && tags.length === 0)) return null;
  return { category, text, tags, context };
}

function withCategory(item: string): { category: string | null; rest: string } {
  const end = item.startsWith("[") ? item.indexOf("]") : -1;
  const category = end === -1 ? "" : item.slice(1, end).trim();
  const isMark = category.length === 1 && (/[xX]/.test(category) || !/[\p{L}\p{N}]/u.test(category));
  const isTime = /^[\d:.,\s-]+$/.test(category) && category.includes(":");
  const isCategory = category !== "" && !/[[\]()]/.test(category) && /\s/.test(item[end + 1] ?? "");
  if (!isCategory || isMark || isTime) return { category: null, rest: item };
  return { category, rest: item.slice(end + 1).trim() };
}

/** The text with its context, so that recall also finds it by the context. */
function withWords(text: string, context: string | null): string {
  return context === null ? text : `${text} (${context})`;
}

/** Splits off the context in brackets at the end. */
function withContext(text: string): { text: string; context: string | null } {
  const from = text.endsWith(")") ? text.lastIndexOf("(") : -1;
  const context = from === -1 ? "" : text.slice(from + 1, -1).trim();
  return context === "" ? { text, context: null } : { text: text.slice(0, from).trim(), context };
}

/** `level`: 1 to 6 for a heading, otherwise 0. */
interface Line {
  readonly line: string;
  readonly level: number;
}

/** The text without headings that had only observations and relations below them. */
function withoutEmptySections(lines: readonly Line[]): string {
  const kept: string[] = [];
  /** For each level: whether there is text between here and the next heading that would end a section of that level. */
  const isSaid = Array.from({ length: 7 }, () => false);
  for (const { line, level } of [...lines].reverse()) {
    if (level === 0 || isSaid[level]) kept.push(line);
    if (level > 0) isSaid.fill(false, level);
    else if (line.trim() !== "") isSaid.fill(true);
  }
  return kept
    .reverse()
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** A time from front matter; null for anything else, since people write free text there. */
function timeOf(value: unknown): string | null {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(value) ? value : null;
}

function tagsOf(value: unknown): string[] {
  if (typeof value === "string") return value.split(",").flatMap((tag) => textOf(tag) ?? []);
  return Array.isArray(value) ? value.flatMap((tag) => textOf(tag) ?? []) : [];
}

function listed(tags: readonly string[]): string[] | null {
  return tags.length === 0 ? null : [...new Set(tags)];
}
