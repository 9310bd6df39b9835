import { createBuiltinEmbedder } from "../adapters/embedding/builtin.ts";
import { createOpenAiEmbedder, type RemoteEmbedder } from "../adapters/embedding/openai.ts";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { ensureGeneration, findGeneration } from "../adapters/postgres/recall/embeddings.ts";
import { createHttpReranker, problemWith } from "../adapters/reranker/http-reranker.ts";
import type { Embedder } from "../core/embedding/embedder.ts";
import type { After } from "../core/limits/places.ts";
import type { Reranker } from "../core/recall/reranker.ts";
import type { Lexicon } from "../recall/language/lexicon.ts";
import type { EmbedderConfig, EmbeddingConfig, RerankConfig } from "./provider-settings.ts";
import { ConfigError } from "./setting-kinds.ts";
import type { Watching } from "./watching.ts";

/** An embedder, with the number of its generation in the database. */
export interface NumberedEmbedder {
  readonly embedder: Embedder;
  readonly generation: number;
  /** Checks a remote provider; null for an embedder in this process. */
  readonly check: RemoteEmbedder["check"] | null;
  /** True while a remote provider gets no requests, because it kept failing or asked for a pause. */
  isLeftAlone(): boolean;
}

/** The embedders of the settings. The vectors of `previous` serve until those of the current one are made. */
export interface Embedders {
  readonly current: NumberedEmbedder;
  readonly previous: NumberedEmbedder | null;
}

interface EmbedderParts {
  readonly sql: Sql;
  readonly watching: Pick<Watching, "watchedEmbedder">;
  readonly lexicon: Lexicon;
  /** A tool embeds nothing, and does not wait for a provider. */
  readonly role: "server" | "tool";
  readonly log: (message: string) => void;
}

/** Rejects with `ConfigError` if a provider answers with another dimension than the settings say. */
export async function openEmbedders(
  config: EmbeddingConfig,
  { sql, watching, lexicon, role, log }: EmbedderParts,
): Promise<Embedders> {
  const watched = (created: Created) => ({
    ...created,
    embedder: watching.watchedEmbedder(created.embedder),
  });
  const tellOf = (which: string, meanwhile: string) => (why: string | null) =>
    log(`${which}${why === null ? "The embedding provider answers again." : `${why} ${meanwhile}`}`);
  const current = watched(create(config.current, config.timeoutMs, lexicon, tellOf("", MEANWHILE)));
  if (role === "server") await requireDimension(current);
  const generation = await ensureGeneration(sql, current.embedder.generation);
  const previous =
    config.previous &&
    watched(
      create(
        config.previous,
        config.timeoutMs,
        lexicon,
        tellOf("EMBEDDING_PREVIOUS_*: ", MEANWHILE_OF_PREVIOUS),
      ),
    );
  const before = previous && (await findGeneration(sql, previous.embedder.generation));
  if (previous && before === null)
    log("EMBEDDING_PREVIOUS_* names a model that was never in use here: it is not used.");
  return {
    current: { ...current, generation },
    previous: previous && before !== null ? { ...previous, generation: before } : null,
  };
}

const MEANWHILE = "What is written is embedded when it answers; until then recall goes by words.";

const MEANWHILE_OF_PREVIOUS = "Recall goes by words until it does.";

type Created = Omit<NumberedEmbedder, "generation">;

/** Creates the embedder of the settings, without a request. `onChange` as in `createOpenAiEmbedder`. */
export function create(
  config: EmbedderConfig,
  queryTimeoutMs: number,
  lexicon: Lexicon,
  onChange?: (why: string | null) => void,
): Created {
  if (config.provider === "builtin")
    return { embedder: createBuiltinEmbedder(lexicon), check: null, isLeftAlone: () => false };
  const embedder = createOpenAiEmbedder(config, { queryTimeoutMs, ...(onChange && { onChange }) });
  return { embedder, check: embedder.check, isLeftAlone: embedder.isLeftAlone };
}

/**
 * Checks the dimension now if the provider is available, otherwise on first use. Vectors of a wrong dimension are never
 * stored.
 */
async function requireDimension({ check }: Created): Promise<void> {
  const found = await check?.();
  if (found?.isWrongDimension) throw new ConfigError(found.problem);
}

/** Creates the reranker of the settings, without a request. Logs when it fails, and when it is back. */
export function rerankerOf(
  config: RerankConfig,
  { after, log }: { readonly after: After; readonly log: (message: string) => void },
): Reranker & { isLeftAlone(): boolean } {
  const said = (why: string | null) =>
    why === null ? "The reranker answers again." : `${why} The order of recall is without it meanwhile.`;
  return createHttpReranker(config, { ...config, after, onChange: (why) => log(said(why)) });
}

/** Returns a sentence that says why it does not answer; null if it does. */
export function inspectReranker(config: RerankConfig): Promise<string | null> {
  return problemWith(config, 2 * config.timeoutMs);
}

/** Runs the task after that many milliseconds, unless the returned function is called first. */
export function after(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}
