import type { z } from "zod";
import { reason } from "../../contract/lifecycle.ts";
import { completionNote, content, type MaskedSecrets } from "../../contract/memory.ts";
import { joined, type OwnWords, own, quotedField } from "../../contract/own-words.ts";
import { decisionMembers, resolution } from "../../contract/project.ts";
import { DomainError } from "../error.ts";
import type { Scan, SecretScanner, Secrets } from "../secrets/secret-scanner.ts";
import { wireName } from "./member-table.ts";
import { MEMORY_MEMBERS, type MembersWhere, type NameOf } from "./memory-record.ts";

/** The screened members of a memory, taken from its table, by their names in requests and exports. */
const OF_MEMORY = Object.fromEntries(
  Object.entries(MEMORY_MEMBERS).flatMap(([name, member]) =>
    "screened" in member && member.screened !== null ? [[wireName(name, member), member.screened]] : [],
  ),
) as unknown as { readonly [Name in ScreenedOfMemory as NameOf<Name>]: z.ZodType };

type ScreenedOfMemory = MembersWhere<{ readonly screened: z.ZodType }>;

/** The members of writes that are screened for secrets, and the bounds that their masked values must keep. */
const SCREENED = {
  ...OF_MEMORY,
  replacement_content: content,
  reason,
  supersession_reason: reason,
  note: completionNote,
  context: decisionMembers.context,
  options: decisionMembers.options,
  resolution,
  resolution_note: resolution,
} satisfies Record<string, z.ZodType>;

export type ScreenedMember = keyof typeof SCREENED;

const BOUNDS: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(SCREENED));

/** A write after screening, and what its answer must say about that. */
export interface Screened<T> {
  readonly input: T;
  readonly isContentMasked: boolean;
  /** Empty if nothing was masked. */
  readonly masked: readonly MaskedSecrets[];
  readonly notices: readonly string[];
}

/**
 * Applies the policy for secrets to the members that a request would store. Must run before hashing, embedding and
 * storing, so that no trace of a secret remains. `secret_detected`, naming kinds and places, if the policy refuses
 * secrets or masking would make a member too long.
 */
export function screen<T extends object>({ scanner, policy }: Secrets, input: T): Screened<T> {
  const clean = { input, isContentMasked: false, masked: [], notices: [] };
  if (policy === "allow") return clean;
  const members = Object.entries(input)
    .filter(([name]) => BOUNDS.has(name))
    .map(([name, value]) => {
      const found: Located[] = [];
      const masked = maskValue(scanner, value, { key: name, within: null }, scanner.scan, found);
      return { name, value: masked, found };
    })
    .filter(({ found }) => found.length > 0);
  if (members.length === 0) return clean;
  const found = members.flatMap((member) => member.found);
  if (policy === "refuse") throw refusal(own`The request would store a secret: ${told(scanner, found)}`);
  for (const { name, value } of members) {
    if (!BOUNDS.get(name)?.safeParse(value).success)
      throw refusal(
        own`There are so many secrets in ${memberOf(name)} that it would be too long after masking`,
      );
  }
  return {
    input: { ...input, ...Object.fromEntries(members.map(({ name, value }) => [name, value])) },
    isContentMasked: members.some(({ name }) => name === "content"),
    masked: counted(found),
    notices: [own`secrets were masked: ${told(scanner, found)}`],
  };
}

function refusal(what: OwnWords): DomainError {
  return new DomainError("secret_detected", own`${what}. Leave it out, or say where it is kept.`);
}

const PLACES_TOLD = 8;

/** A sentence that lists some of the findings and counts the others. Only the listed ones are formatted. */
function told(scanner: SecretScanner, found: readonly Located[]): OwnWords {
  const seen = new Map<Place, Set<string>>();
  const words = new Set<OwnWords>();
  let more = 0;
  for (const { kind, place } of found) {
    const kinds = seen.get(place) ?? new Set();
    if (kinds.has(kind)) continue;
    seen.set(place, kinds.add(kind));
    // Kinds are names of the scanner's rules.
    if (words.size < PLACES_TOLD) words.add(own`${kind as OwnWords} in ${inWords(scanner, place)}`);
    else more += 1;
  }
  return own`${joined([...words])}${more > 0 ? own` and ${more} more` : own``}`;
}

function counted(found: readonly Located[]): MaskedSecrets[] {
  const counts = new Map<string, number>();
  for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => ({ kind, count }));
}

/** The answer's notices about a screened write and other deviations; empty if there are none. */
export function remarksOn(
  { masked }: Pick<Screened<unknown>, "masked">,
  notices: readonly string[],
): { reason?: string; masked?: MaskedSecrets[] } {
  return {
    ...(notices.length > 0 ? { reason: notices.join("; ") } : {}),
    ...(masked.length > 0 ? { masked: [...masked] } : {}),
  };
}

/** The location of a text: a member of the request, or a key within another location. */
interface Place {
  readonly key: string;
  readonly within: Place | null;
}

/** A secret that was found: its kind and location. */
interface Located {
  readonly kind: string;
  readonly place: Place;
}

/** Masking can join characters so that another secret appears. The maximum number of passes. */
const ROUNDS_MAX = 8;

/** Replaces each secret in the text by its kind. Text that is already masked is unchanged. */
export function maskText(
  scan: Scan,
  text: string,
): { readonly text: string; readonly kinds: readonly string[] } {
  const kinds: string[] = [];
  let masked = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const findings = scan(masked);
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

/**
 * Masks every string inside a JSON value and adds the findings to `found`. Keys are not masked. A value without secrets
 * is returned unchanged.
 */
function maskValue(
  scanner: SecretScanner,
  value: unknown,
  place: Place,
  scan: Scan,
  found: Located[],
): unknown {
  if (typeof value === "string") {
    const { text, kinds } = maskText(scan, value);
    for (const kind of kinds) found.push({ kind, place });
    return text;
  }
  if (typeof value !== "object" || value === null) return value;
  const isArray = Array.isArray(value);
  const before = found.length;
  const masked = Object.entries(value).map(([key, member]) => {
    const below = { key, within: place };
    return [key, maskValue(scanner, member, below, isArray ? scan : scanner.under(key), found)] as const;
  });
  if (found.length === before) return value;
  return isArray ? masked.map(([, member]) => member) : Object.fromEntries(masked);
}

/** Masks the secrets in a text that is not written by a caller's request, unless the policy allows them. */
export function withoutSecrets({ scanner, policy }: Secrets, text: string): string {
  return policy === "allow" ? text : maskText(scanner.scan, text).text;
}

const PLACE_LENGTH_MAX = 200;

/**
 * The location in words, such as `content`. Below a member of the request callers choose the names, so those are
 * quoted: "metadata.note".
 */
function inWords(scanner: SecretScanner, place: Place): OwnWords {
  if (place.within === null) return memberOf(place.key);
  return quotedField(pathTo(scanner, place), PLACE_LENGTH_MAX) ?? own`""`;
}

/** The name of a screened member of the request. */
function memberOf(name: string): OwnWords {
  return name as OwnWords;
}

/** The dotted path. A key that is long or is itself a secret becomes `*`. */
function pathTo(scanner: SecretScanner, { key, within }: Place): string {
  if (within === null) return key;
  const isRepeated = key.length <= 64 && scanner.scan(key).length === 0;
  return `${pathTo(scanner, within)}.${isRepeated ? key : "*"}`;
}
