import { encodeVectors, type StoredVectors } from "../../recall/index/vector-bytes.ts";
import { passageTexts } from "../../recall/language/passages.ts";
import type { MultilingualEncoder } from "../embedding/multilingual-encoder.ts";
import type { EncodedMemory } from "./encode-later.ts";
import type { Unembedded } from "./reembed.ts";

/** A memory's multilingual vectors, by passage, and its language. */
export interface EncodedMultilingual extends EncodedMemory {
  readonly vectors: StoredVectors;
  /** See `MultilingualText`. */
  readonly language: string | null;
}

/** Encodes a memory's passages. Its language is that of the first passage whose language is clear. */
export async function encodeMultilingual(
  encoder: MultilingualEncoder,
  { ownerId, memory, revision, content }: Unembedded,
): Promise<EncodedMultilingual> {
  const passages = await encoder.encode(passageTexts(content));
  return {
    ownerId,
    memory,
    revision,
    vectors: encodeVectors(passages.map(({ vector }) => vector)),
    language: passages.find(({ language }) => language !== null)?.language ?? null,
  };
}
