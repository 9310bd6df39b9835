import { EmbeddingsApiError } from "./embeddings-api.ts";

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 250;
/** A provider that asks for longer is asked again by whoever comes back to the text. */
const RETRY_AFTER_MAX_MS = 5000;
/** So that it is not asked a moment before its pause is over. */
const GRACE_MS = 50;

/** Tries again what may work in a moment, after the pause that the provider asks for or a growing one of its own. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt);
      if (pauseMs === null || attempt === ATTEMPTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function pauseAfter(error: unknown, attempt: number): number | null {
  if (!(error instanceof EmbeddingsApiError)) return null;
  if (!["away", "slow", "limited", "unintelligible"].includes(error.failure)) return null;
  if (error.retryAfterMs === null) return PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  return error.retryAfterMs <= RETRY_AFTER_MAX_MS ? error.retryAfterMs + GRACE_MS : null;
}
