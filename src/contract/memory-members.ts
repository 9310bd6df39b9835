import { publicId, text } from "./primitives.ts";

/** Identifies the memory that an operation acts on. */
export const idMember = { memory_id: publicId };

const ENTITY_TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** `*` or a comma-separated list of entity tags (RFC 9110, 13.1.1). Empty list elements are ignored. */
const IF_MATCH = new RegExp(
  String.raw`^(?:\*|(?:,[ \t]*)*${ENTITY_TAG}(?:[ \t]*,(?:[ \t]*${ENTITY_TAG})?)*)$`,
);

/** The `If-Match` precondition of a change. */
export const ifMatch = text(1, 4096)
  .regex(IF_MATCH, { error: 'must be * or entity tags in double quotes, such as "a", "b"' })
  .nullish()
  .meta({
    description: "The ETag you last read, or several; 412 if the memory's current state matches none of them",
  });

/** Returns the entity tags of a precondition, verbatim; empty for `*`. */
export function tagsOf(condition: string): readonly string[] {
  return condition.match(new RegExp(ENTITY_TAG, "g")) ?? [];
}

/** Errors of every operation that stores memories. */
export const writeErrors = [
  "not_found",
  "conflict",
  "role_forbidden",
  "quota_exceeded",
  "secret_detected",
  "payload_too_large",
  "unsupported_media_type",
] as const;
