import { read } from "./repository.ts";

/** The changelog's text about a version, without its heading. Empty if there is none. */
export function notesOf(version: string): string {
  const sections = read("CHANGELOG.md").split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s,]/, 1)[0] === version);
  return found === undefined ? "" : found.slice(found.indexOf("\n")).trim();
}
