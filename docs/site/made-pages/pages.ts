import { errorsPage } from "./errors-page.ts";

/** The documents that are made from the code, by their paths in the repository, as they should be. */
export function madePages(): Readonly<Record<string, string>> {
  return { "docs/errors.md": errorsPage() };
}
