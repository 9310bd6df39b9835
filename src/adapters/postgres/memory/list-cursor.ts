import { Buffer } from "node:buffer";
import { isInstant } from "../../../contract/primitives.ts";
import type { ListPlace } from "../../../core/memory/memory-store.ts";
import { BLOCK_BYTES, type BlockSeal } from "../database/sealed-block.ts";

const SEQ_AT = 8;
const SEQ_BYTES = 6;
const ZEROS_AT = SEQ_AT + SEQ_BYTES;

/** A place in a list as text. It is encrypted, since `seq` reveals how many memories all owners have together. */
export function cursorOf(seal: BlockSeal, { createdAt, seq }: ListPlace): string {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigInt64BE(BigInt(createdAt));
  block.writeUIntBE(seq, SEQ_AT, SEQ_BYTES);
  return seal.seal(block);
}

/** Reads a cursor; null if it is not one of ours. */
export function placeOf(seal: BlockSeal, cursor: string): ListPlace | null {
  const block = seal.open(cursor);
  if (block === null) return null;
  const createdAt = Number(block.readBigInt64BE());
  const isOurs = block.subarray(ZEROS_AT).every((byte) => byte === 0) && isInstant(createdAt);
  return isOurs ? { createdAt, seq: block.readUIntBE(SEQ_AT, SEQ_BYTES) } : null;
}
