import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Sql } from "./client.ts";
import { secret } from "./service-secret.ts";

export const BLOCK_BYTES = 16;

/** Encrypts one block with a secret of the service, as a text that reveals nothing. */
export interface BlockSeal {
  seal(block: Uint8Array): string;
  /** null for a text of another length. The caller checks by the bytes whether it is one of our blocks. */
  open(text: string): Buffer | null;
}

/** The seal with the secret of that name in this database. The secret is read with the first use. */
export function blockSealOf(sql: Sql, name: string): () => Promise<BlockSeal> {
  let seal: Promise<BlockSeal> | null = null;
  return () => {
    seal ??= secret(sql, name).then(sealWith);
    seal.catch(() => {
      seal = null;
    });
    return seal;
  };
}

function sealWith(key: Buffer): BlockSeal {
  return {
    seal(block) {
      const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
    },
    open(text) {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length !== BLOCK_BYTES) return null;
      const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      return Buffer.concat([decipher.update(bytes), decipher.final()]);
    },
  };
}

/** Encrypts the number of a row as a text, since numbers count the rows of all owners. */
export function sealedNumber(seal: BlockSeal, number: number): string {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeBigInt64BE(BigInt(number));
  return seal.seal(block);
}

/** Decrypts such a text; null if it is not one of our numbers. */
export function numberIn(seal: BlockSeal, text: string): number | null {
  const block = seal.open(text);
  const isOurs = block?.subarray(8).every((byte) => byte === 0) && block.readUInt32BE(0) < 2 ** 21;
  return block && isOurs ? Number(block.readBigInt64BE()) : null;
}
