import { createHttpReranker, problemWith } from "../adapters/reranker/http-reranker.ts";
import type { After } from "../core/limits/places.ts";
import type { Reranker } from "../core/recall/reranker.ts";
import type { RerankConfig } from "./rerank-settings.ts";

/** The reranker that the settings name, which has asked nobody yet. The log is told when it fails, and when it is back. */
export function rerankerOf(
  config: RerankConfig,
  { after, log }: { readonly after: After; readonly log: (message: string) => void },
): Reranker & { isLeftAlone(): boolean } {
  const said = (why: string | null) =>
    why === null ? "The reranker answers again." : `${why} The order of recall is without it meanwhile.`;
  return createHttpReranker(config, { ...config, after, onChange: (why) => log(said(why)) });
}

/** Why it does not answer, in a sentence; null where it does. */
export function inspectReranker(config: RerankConfig): Promise<string | null> {
  return problemWith(config, 2 * config.timeoutMs);
}
