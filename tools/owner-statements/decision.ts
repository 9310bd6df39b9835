import { fileURLToPath } from "node:url";

export const DECISION = fileURLToPath(
  new URL("../../docs/decisions/0063-partitioning-by-owner.md", import.meta.url),
);

/** The page with this list in place of its own. */
export function withList(page: string, list: string): string {
  const end = page.indexOf("**Order of the work.**");
  const begin = page.search(/^\d+ statements name no owner\./m);
  if (begin < 0 || end < begin) throw new Error("Decision 63 has no list of statements.");
  return `${page.slice(0, begin)}${list}\n\n${page.slice(end)}`;
}
