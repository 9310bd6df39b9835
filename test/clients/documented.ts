import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGES = fileURLToPath(new URL("../../docs/integrations", import.meta.url));
/** The server's address on every page. */
const ADDRESS = "http://127.0.0.1:8787";

/**
 * The file that a page of docs/integrations tells people to write: the block that follows the first line that begins with
 * its name, at the server's own address.
 */
export function documented(page: string, file: string, serverUrl = ADDRESS): string {
  const text = readFileSync(join(PAGES, `${page}.md`), "utf8");
  const at = text.indexOf(`\n\`${file}\``);
  const [, block] = /\n```\w+\n([\s\S]*?)\n```/.exec(at === -1 ? "" : text.slice(at)) ?? [];
  if (block === undefined) throw new Error(`docs/integrations/${page}.md has no block for ${file}.`);
  return block.replaceAll(ADDRESS, serverUrl);
}

/** All blocks of a page in one language. */
export function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(PAGES, `${page}.md`), "utf8");
  return [...text.matchAll(new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``, "g"))].map(
    ([, block = ""]) => block,
  );
}
