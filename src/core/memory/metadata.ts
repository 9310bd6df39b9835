import { authorities } from "../../contract/memory.ts";
import { instant } from "../../contract/primitives.ts";
import { VOUCHED, verifiedBy } from "../../contract/service-members.ts";
import type { TokenKind } from "../access/credential.ts";
import type { Caller } from "../caller.ts";
import { invalid } from "../error.ts";

/** Metadata as it will be stored, with the values that the service reads from it and the changes it made. */
export interface CheckedMetadata {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly occurredAt: number | null;
  readonly dueAt: number | null;
  /** Notices about the changes, for the answer; empty if there were none. */
  readonly notices: readonly string[];
}

const INSTANTS = ["occurred_at", "due_at", "review_after", "last_verified_at"] as const;

type Instant = (typeof INSTANTS)[number];

/**
 * Members by which the service weighs a memory, or acts on it at a given time. They must be set deliberately: neither a
 * repeated statement nor another system's metadata sets them.
 */
export const GUIDING_MEMBERS = [
  "authority",
  "due_at",
  "recurrence",
  "recurrence_start",
  "time_zone",
  "review_after",
  "last_verified_at",
] as const;

/**
 * An instant in metadata, in milliseconds since the epoch; null if there is none or it is invalid. Also works for
 * unchecked metadata.
 */
export function instantIn(metadata: Readonly<Record<string, unknown>>, name: Instant): number | null {
  if (typeof metadata[name] !== "string") return null;
  const value = instant.safeParse(metadata[name]);
  return value.success ? Date.parse(value.data) : null;
}

/** Metadata after a write. */
interface MetadataWrite {
  /** The metadata after the write. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The metadata in the request, if it is merged into the existing metadata. */
  readonly given?: Readonly<Record<string, unknown>> | null | undefined;
  /** The metadata before the write; empty for a new memory. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  /**
   * True if the text changes too. An earlier verification then no longer counts, unless this write verifies the memory
   * again.
   */
  readonly saysOtherwise?: boolean | undefined;
}

/**
 * Checks the members that have a meaning to the service; all others are the caller's own. `verified` and `directive`
 * speak for a person, so a credential alone cannot claim them: they become `observation`. `last_verified_at` is stored
 * as given, but it only counts if a person's credential gave it, which is recorded beside it.
 */
export function checkMetadata(by: Voucher, write: MetadataWrite): CheckedMetadata {
  const { metadata, notice } = withVerification(by, write);
  const notices = notice === null ? [] : [notice];
  for (const name of INSTANTS) {
    const value = metadata[name];
    if (value !== undefined && value !== null && !instant.safeParse(value).success) {
      throw invalid(
        ["metadata", name],
        "must be an RFC 3339 time with its offset, such as 2026-01-31T09:00:00Z",
      );
    }
  }
  const instants = {
    occurredAt: instantIn(metadata, "occurred_at"),
    dueAt: instantIn(metadata, "due_at"),
  };
  const authority = metadata.authority;
  if (authority === undefined || authority === null) return { metadata, ...instants, notices };
  if (!(authorities as readonly unknown[]).includes(authority)) {
    throw invalid(["metadata", "authority"], `must be one of ${authorities.join(", ")}`);
  }
  const lowered = withoutVouching(metadata);
  return { metadata: lowered.metadata, ...instants, notices: [...lowered.notices, ...notices] };
}

/** Authorities that only a signed-in person can give. */
export const VOUCHING: readonly unknown[] = ["verified", "directive"];

/** Lowers an authority that speaks for a person, and returns the notice about it. */
function withoutVouching(
  metadata: CheckedMetadata["metadata"],
): Pick<CheckedMetadata, "metadata" | "notices"> {
  const { authority } = metadata;
  if (!VOUCHING.includes(authority)) return { metadata, notices: [] };
  const notice = `metadata.authority was lowered to observation: only a signed-in user can vouch as ${authority}`;
  return { metadata: { ...metadata, authority: "observation" }, notices: [notice] };
}

/** The metadata after a change of the text: earlier verification and vouching do not apply to the new text. */
export function ofOtherWords(
  metadata: CheckedMetadata["metadata"],
): Pick<CheckedMetadata, "metadata" | "notices"> {
  return withoutVouching(unverified(metadata));
}

export type Voucher = Pick<Caller, "tokenKind"> | null;

/** The kinds of credentials that people hold. An agent's or a skill's token speaks for a program. */
const OF_PEOPLE: readonly TokenKind[] = ["api_key", "oauth", "session"];

/** True if the credential is a person's, so that it may verify a memory. */
export function mayVerify(by: Voucher): boolean {
  return by !== null && OF_PEOPLE.includes(by.tokenKind);
}

/**
 * Adds or removes the record of who vouches for `last_verified_at`. A value of that record in the request is ignored.
 */
function withVerification(
  by: Voucher,
  { metadata, given = metadata, before = {}, saysOtherwise = false }: MetadataWrite,
): { metadata: MetadataWrite["metadata"]; notice: string | null } {
  const { [verifiedBy]: _, ...others } = metadata;
  const at = instantIn(others, "last_verified_at");
  if (at === null) return { metadata: verifiedBy in metadata ? others : metadata, notice: null };
  const isGiven = given !== null && Object.hasOwn(given, "last_verified_at");
  const isAsBefore = at === instantIn(before, "last_verified_at");
  const isStillVouchedFor = isAsBefore && !saysOtherwise && before[verifiedBy] === VOUCHED;
  const isVouchedFor = isStillVouchedFor || (isGiven && mayVerify(by));
  if (isVouchedFor) return { metadata: { ...others, [verifiedBy]: VOUCHED }, notice: null };
  const notice = "metadata.last_verified_at is kept as a claim: only a person's credential can vouch for it";
  return {
    metadata: verifiedBy in metadata ? others : metadata,
    notice: isGiven && !isAsBefore ? notice : null,
  };
}

/** The metadata without the record of who vouches for its verification. */
export function unverified(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!(verifiedBy in metadata)) return metadata;
  const { [verifiedBy]: _, ...others } = metadata;
  return others;
}
