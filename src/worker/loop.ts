import { createPause } from "./pause.ts";

/** Something that is done again and again, as long as the service runs. */
export interface Worker {
  /** Finishes the round that is running, which may end early, then stops. */
  stop(): Promise<void>;
}

/**
 * Does rounds until it is stopped, with a pause after each that had not all it could take. A round that fails is
 * reported and tried again after the pause.
 */
export function startLoop(
  round: (isStopping: () => boolean) => Promise<{ readonly isMoreWaiting: boolean }>,
  pauseMs: number,
  report: (error: unknown) => void,
): Worker {
  const pause = createPause();
  let isStopping = false;

  async function run(): Promise<void> {
    while (!isStopping) {
      const { isMoreWaiting } = await round(() => isStopping).catch(reported);
      if (!isMoreWaiting) await pause.wait(pauseMs);
    }
  }

  function reported(error: unknown): { isMoreWaiting: boolean } {
    if (!isStopping) report(error);
    return { isMoreWaiting: false };
  }

  const running = run();
  return {
    stop() {
      isStopping = true;
      pause.end();
      return running;
    },
  };
}
