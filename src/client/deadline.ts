import { startTimer } from "./pause.ts";

/** A signal that follows another and ends by itself when nothing has happened for a while. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was the time, and not the other signal. */
  readonly isOver: () => boolean;
  /** Begins anew. */
  readonly restart: () => void;
  /** Does not go on until it begins anew. */
  readonly stop: () => void;
  /** Lets go of the timer and of the other signal. */
  readonly end: () => void;
}

export function createDeadline(ms: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const follow = () => controller.abort(outer?.reason);
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = startTimer(() => {
      isOver = true;
      controller.abort(new DOMException("There was no answer in time.", "TimeoutError"));
    }, ms);
  };
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  restart();
  return {
    signal: controller.signal,
    isOver: () => isOver,
    restart,
    stop,
    end() {
      stop();
      outer?.removeEventListener("abort", follow);
    },
  };
}
