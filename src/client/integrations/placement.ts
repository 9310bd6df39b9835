/** The path and the id of a memory that an integration stores under a name of its own. */

/** Leaves room in a path, which may have 512 characters, for a caller's prefix. */
const LABELS_MAX = 320;

/** Returns a path below the root with the first labels, as many as fit. */
export function pathBelow(root: string, labels: readonly string[]): string {
  let path = root;
  for (const label of labels) {
    const longer = `${path}/${encoded(label)}`;
    if (longer.length > root.length + LABELS_MAX) break;
    path = longer;
  }
  return path;
}

/** Returns a memory id that is the same for the same name. */
export async function derivedId(kind: string, name: readonly unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(name)));
  return `${kind}-${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Keeps letters, digits, `.`, `-` and `_`, and never leaves separators or wildcards. */
function encoded(label: string): string {
  const byte = (code: number) => `=${code.toString(16).padStart(2, "0")}`;
  return label.replaceAll(/[^\w.-]+/g, (signs) => Array.from(new TextEncoder().encode(signs), byte).join(""));
}
