/** How much of a workspace recall considers, by what the service says of its index: nothing is searched for it. */
import type { Outputs } from "../../shell/trpc.ts";

export type State = Outputs["serviceState"];

interface Coverage {
  /** 0 to 1: of the memories that are to have a vector of the model in use, those that have one. */
  readonly share: number;
  readonly words: string;
}

/** A second or two is what every change waits. */
const LATE_SECONDS = 60;

export const isIndexLate = ({ changes_wait_seconds: wait }: State) => wait !== null && wait >= LATE_SECONDS;

export function coverageOf(state: State): Coverage {
  const current = state.embeddings.find(({ is_current }) => is_current);
  const share = current && current.of > 0 ? Math.min(1, current.memories / current.of) : 1;
  return { share, words: wordsOf(state, share) };
}

function wordsOf(state: State, share: number): string {
  if (state.indexes.some((index) => index.state === "building")) return "a new index is being built";
  if (state.set_aside.length > 0) return "some changes are set aside";
  if (share < 1) return "the others are found by words";
  return isIndexLate(state) ? "the index is catching up" : "recall sees every memory";
}

export const percent = (share: number) => `${Math.floor(share * 100)}%`;
