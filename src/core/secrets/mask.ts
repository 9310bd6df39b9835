import type { SecretScanner } from "./secret-scanner.ts";

/** A secret that was found: its kind, and where, such as `metadata.note`. */
export interface Located {
  readonly kind: string;
  readonly place: string;
}

/** Masking can bring a character next to another one and so show a further secret; this often at the most. */
const ROUNDS_MAX = 8;

/** The text with each secret replaced by its kind. What is masked already stays as it is. */
export function maskText(
  scanner: SecretScanner,
  text: string,
  name?: string,
): { readonly text: string; readonly kinds: readonly string[] } {
  const kinds: string[] = [];
  let masked = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const findings = scanner.scan(masked, name);
    if (findings.length === 0) break;
    let next = "";
    let from = 0;
    for (const { kind, start, end } of findings) {
      next += `${masked.slice(from, start)}[secret:${kind}]`;
      from = end;
      kinds.push(kind);
    }
    masked = next + masked.slice(from);
  }
  return { text: masked, kinds };
}

/** The same for every string inside a JSON value. Keys are left; a value without secrets is answered as it is. */
export function maskValue(
  scanner: SecretScanner,
  value: unknown,
  place: string,
  name?: string,
): { readonly value: unknown; readonly found: readonly Located[] } {
  if (typeof value === "string") {
    const { text, kinds } = maskText(scanner, value, name);
    return { value: text, found: kinds.map((kind) => ({ kind, place })) };
  }
  if (typeof value !== "object" || value === null) return { value, found: [] };
  const isArray = Array.isArray(value);
  const members = Object.entries(value).map(([key, member]) => {
    const below = `${place}.${nameable(scanner, key)}`;
    return [key, maskValue(scanner, member, below, isArray ? name : key)] as const;
  });
  const found = members.flatMap(([, member]) => member.found);
  if (found.length === 0) return { value, found };
  const masked = members.map(([key, member]) => [key, member.value] as const);
  return { value: isArray ? masked.map(([, member]) => member) : Object.fromEntries(masked), found };
}

/** A key as a refusal may say it: one that is long or a secret itself is not repeated. */
function nameable(scanner: SecretScanner, key: string): string {
  return key.length > 64 || scanner.scan(key).length > 0 ? "*" : key;
}
