import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv } from "node:crypto";

const PREFIX = "evt_";
const BLOCK_BYTES = 16;

/** Positions in the log as ids that tell nobody how much happens in between, and that nobody makes up. */
export interface EventIds {
  idOf(position: number): string;
  /** null where it is no id of ours. */
  positionOf(id: string): number | null;
}

/**
 * One block of AES under a key of the service's own: the position, and eight bytes that must be zero. Every position has one
 * id, on every server and for as long as the database lives.
 */
export function createEventIds(key: Buffer): EventIds {
  return {
    idOf(position) {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeBigUInt64BE(BigInt(position));
      const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      return PREFIX + Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
    },
    positionOf(id) {
      const bytes = Buffer.from(id.slice(PREFIX.length), "base64url");
      if (bytes.length !== BLOCK_BYTES) return null;
      const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      const block = Buffer.concat([decipher.update(bytes), decipher.final()]);
      const isOurs = block.readBigUInt64BE(8) === 0n && block.readUInt32BE(0) < 2 ** 21;
      return isOurs ? Number(block.readBigUInt64BE()) : null;
    },
  };
}
