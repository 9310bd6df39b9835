/**
 * The memory tool's answers, to the letter those of the local tool of Anthropic's Python SDK: models are trained on them.
 * Throws an `Error` with the words that the model reads.
 */
import { isBelow } from "./memory-files.ts";

const ROOT = "/memories";
const NUMBER_WIDTH = 6;
const FOLDER_DEPTH = 2;
const SNIPPET_LINES = 2;

/** Returns the name of a path, relative to the root and without `.` and `..`; empty for the root. */
export function nameOf(path: string): string {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`))
    throw new Error(`Path must start with ${ROOT}, got: ${path}`);
  const names: string[] = [];
  for (const name of path.slice(ROOT.length).split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw new Error(`Path ${path} would escape ${ROOT} directory`);
  }
  return names.join("/");
}

export function fileView(path: string, text: string, range: readonly number[] | null | undefined): string {
  const lines = text.split("\n");
  const [from = 1, to = -1] = range?.length === 2 ? range : [];
  const start = Math.max(1, from) - 1;
  const shown = lines.slice(start, to === -1 ? undefined : to);
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, start)}`;
}

/** Lists the files below a folder, and the folders that they imply. */
export function folderView(
  path: string,
  folder: string,
  files: readonly { readonly name: string; readonly text: string }[],
): string {
  const sizes = new Map<string, string>();
  for (const { name, text } of files.filter((file) => isBelow(file.name, folder))) {
    const names = (folder === "" ? name : name.slice(folder.length + 1)).split("/");
    const shown = names.slice(0, FOLDER_DEPTH);
    if (shown.some((part) => part.startsWith("."))) {
      // A hidden file does not hide the folder that contains it.
      if (shown.length === FOLDER_DEPTH && !shown[0]?.startsWith(".")) sizes.set(`${shown[0]}/`, FOLDER_SIZE);
      continue;
    }
    for (let depth = 1; depth < names.length && depth <= FOLDER_DEPTH; depth += 1)
      sizes.set(`${names.slice(0, depth).join("/")}/`, FOLDER_SIZE);
    if (names.length <= FOLDER_DEPTH)
      sizes.set(names.join("/"), sizeText(new TextEncoder().encode(text).length));
  }
  const sorted = [...sizes].sort(([a], [b]) => compareNames(a.split("/"), b.split("/")));
  const lines = [`${FOLDER_SIZE}\t${path}`, ...sorted.map(([name, size]) => `${size}\t${path}/${name}`)];
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items:\n${lines.join("\n")}`;
}

/** The size that file systems commonly show for a folder. */
const FOLDER_SIZE = "4K";

function compareNames(a: readonly string[], b: readonly string[]): number {
  for (const [at, name] of a.entries()) {
    const other = b[at] ?? "";
    if (name !== other) return name < other ? -1 : 1;
  }
  return a.length - b.length;
}

/** Replaces the only occurrence of a text, and returns the answer that shows the lines around it. */
export function replaceOnce(
  path: string,
  text: string,
  old: string,
  replacement: string,
): { text: string; answer: string } {
  const places = placesOf(text, old);
  const [first] = places;
  if (first === undefined)
    throw new Error(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
  // Overlapping occurrences count as one.
  if (places.some((place) => place >= first + Math.max(1, old.length))) {
    const lines = places.map((place) => lineAt(text, place) + 1);
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`,
    );
  }
  const changed = text.slice(0, first) + replacement + text.slice(first + old.length);
  const line = lineAt(text, first);
  const start = Math.max(0, line - SNIPPET_LINES);
  const snippet = numbered(changed.split("\n").slice(start, line + SNIPPET_LINES + 1), start);
  const answer = `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
  return { text: changed, answer };
}

export function insertAt(text: string, line: number, inserted: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (!(line >= 0 && line <= lines.length))
    throw new Error(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range [0, ${lines.length}].`,
    );
  lines.splice(line, 0, withoutFinalNewlines(inserted));
  const changed = lines.join("\n");
  return changed.endsWith("\n") ? changed : `${changed}\n`;
}

function withoutFinalNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    places.push(at);
    if (at >= text.length) break;
  }
  return places;
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length - 1;
}

function numbered(lines: readonly string[], start: number): string {
  return lines.map((line, at) => `${String(start + at + 1).padStart(NUMBER_WIDTH)}\t${line}`).join("\n");
}

function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1024 && unit < 3; unit += 1) size /= 1024;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${"BKMG"[unit]}`;
}
