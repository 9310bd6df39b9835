import { publicId, text } from "./primitives.ts";

/** Names the memory that an operation is about. */
export const idMember = { memory_id: publicId };

/** The condition on a change. */
export const ifMatch = text(1, 256)
  .nullish()
  .meta({ description: "The ETag last read; 412 where the memory has changed since" });
