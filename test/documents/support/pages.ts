import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The documents' pages, below the repository. Not the site's folder, in which copies come and go while it is built, nor
 * decisions, which are about what there was, too.
 */
export const pages = readdirSync(join(repository, "docs"), { withFileTypes: true })
  .filter((entry) => !["site", "decisions"].includes(entry.name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(repository, "docs", entry.name), { recursive: true, encoding: "utf8" }).map(
          (name) => `docs/${entry.name}/${name}`,
        )
      : [`docs/${entry.name}`],
  )
  .filter((name) => name.endsWith(".md"))
  .sort();
