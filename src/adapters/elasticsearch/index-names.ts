/** What an index is written by: with the index it goes, and a write then fails instead of making another. */
export function writeAlias(index: string): string {
  return `${index}-write`;
}
