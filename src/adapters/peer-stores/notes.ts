import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { parse } from "yaml";
import type { Note } from "../../core/transfer/peers/basic-memory.ts";
import { isObject } from "../../core/transfer/peers/peer-record.ts";

/** Returns the Markdown files of a folder, or the named file. */
export async function noteFiles(place: string, isFolder: boolean): Promise<string[]> {
  return isFolder ? filesIn(place, /\.md$/i) : [place];
}

/** The files below a folder whose names match, in a stable order, without hidden ones. */
export async function filesIn(place: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !relative(place, file)
          .split(sep)
          .some((part) => part.startsWith(".")),
    )
    .sort();
}

/** A note as it is in the file; `file` counts from the folder, or is the file's own name. */
export async function readNote(place: string, file: string): Promise<Note> {
  const name = file === place ? basename(file) : relative(place, file).split(sep).join("/");
  const nothing = { file: name, frontMatter: {}, body: "" };
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => error);
  if (bytes instanceof Error) return { ...nothing, problem: `cannot be read (${bytes.code})` };
  try {
    return { file: name, ...partsOf(decoder.decode(bytes)) };
  } catch (error) {
    const isText = !(error instanceof TypeError);
    return { ...nothing, problem: isText ? "its front matter is not YAML" : "is not UTF-8 text" };
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** More than front matter that people write; a YAML parser is not to be given a book. */
const FRONT_MATTER_MAX = 64 * 1024;

function partsOf(text: string): { frontMatter: Readonly<Record<string, unknown>>; body: string } {
  const begin = /^---\r?\n/.exec(text)?.[0].length;
  if (begin === undefined) return { frontMatter: {}, body: text };
  const end = /(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text.slice(begin, begin + FRONT_MATTER_MAX));
  if (!end) return { frontMatter: {}, body: text };
  // Times stay as written.
  const read: unknown = parse(text.slice(begin, begin + end.index), {
    schema: "core",
    maxAliasCount: 10,
    // Otherwise process warnings would quote the note.
    logLevel: "error",
  });
  return {
    frontMatter: isObject(read) ? read : {},
    body: text.slice(begin + end.index + end[0].length),
  };
}
