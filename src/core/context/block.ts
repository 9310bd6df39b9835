import type { Detail } from "./render.ts";

/** The number under which a block stands in the text, by the block's id; null where it does not. */
export type PlaceOf = (id: string) => number | null;

/** Anything that can stand in a context text: a memory, a todo, a decision. */
export interface ContextBlock {
  /** Tells it from the other blocks of the same text. */
  readonly id: string;
  /** What it is worth; 0 or more, comparable between all blocks given. */
  readonly value: number;
  /** Stored text, quoted under the header; null where the header says it all. */
  readonly content: string | null;
  /**
   * The header after the number: words of our own, stored ones only as `quotedField`. One line. It may name the place of
   * other blocks, and must not be longer where one of them has none.
   */
  label(detail: Detail, placeOf: PlaceOf): string;
  /** How much a sentence of the content matters, 0 or more: what an excerpt is chosen by. */
  score(sentence: string): number;
}
