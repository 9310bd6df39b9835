import { publicId, text } from "./primitives.ts";

/** Names the memory that an operation is about. */
export const idMember = { memory_id: publicId };

const ENTITY_TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** `*` or entity tags with commas between, as in RFC 9110, 13.1.1; empty elements count for nothing. */
const IF_MATCH = new RegExp(
  String.raw`^(?:\*|(?:,[ \t]*)*${ENTITY_TAG}(?:[ \t]*,(?:[ \t]*${ENTITY_TAG})?)*)$`,
);

/** The condition on a change. */
export const ifMatch = text(1, 4096)
  .regex(IF_MATCH, { error: 'must be * or entity tags in double quotes, such as "a", "b"' })
  .nullish()
  .meta({
    description: "The ETag you last read, or several; 412 if the memory's current state matches none of them",
  });

/** The entity tags in a condition, as they stand there; empty for `*`. */
export function tagsOf(condition: string): readonly string[] {
  return condition.match(new RegExp(ENTITY_TAG, "g")) ?? [];
}
