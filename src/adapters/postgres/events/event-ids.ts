import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { BLOCK_BYTES, type BlockSeal } from "../database/sealed-block.ts";

const PREFIX = "evt_";

/** Positions in the log as ids that tell nobody how much happens in between, and that nobody makes up. */
export interface EventIds {
  /** The id of the event at that position. */
  idOf(position: number): string;
  /** A place to read on from: another text each time, so that two of them do not say whether others' events lie between. */
  placeOf(position: number): string;
  /** null where it is no id and no place of ours. */
  positionOf(id: string): number | null;
}

const RANDOM_AT = 8;
const RANDOM_BYTES = 5;

/**
 * One sealed block: the position, five bytes that are random in a place and zero in an event's id, and three that must be
 * zero. An event has one id, on every server and for as long as the database lives.
 */
export function createEventIds(seal: BlockSeal): EventIds {
  const textOf = (position: number, random: Uint8Array) => {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(BigInt(position));
    block.set(random, RANDOM_AT);
    return PREFIX + seal.seal(block);
  };
  return {
    idOf: (position) => textOf(position, new Uint8Array(RANDOM_BYTES)),
    placeOf: (position) => textOf(position, randomBytes(RANDOM_BYTES)),
    positionOf(id) {
      const block = seal.open(id.slice(PREFIX.length));
      if (block === null) return null;
      const isOurs =
        block.subarray(RANDOM_AT + RANDOM_BYTES).every((byte) => byte === 0) &&
        block.readUInt32BE(0) < 2 ** 21;
      return isOurs ? Number(block.readBigUInt64BE()) : null;
    },
  };
}
