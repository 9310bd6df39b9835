import type { Sql } from "../adapters/postgres/database/client.ts";
import { withSessionLock } from "../adapters/postgres/database/locks.ts";
import {
  createPassageReader,
  createTokenBacklog,
  ensureTokenGeneration,
} from "../adapters/postgres/recall/token-vectors.ts";
import { MODEL_FILE, TokenModelError } from "../adapters/token-encoder/model-file.ts";
import { openTokenEncoder } from "../adapters/token-encoder/token-encoder.ts";
import type { TokenEncoder } from "../core/embedding/token-encoder.ts";
import type { TokenVectors } from "../recall/index/packed-tokens.ts";
import type { TokenModel } from "../recall/index/token-model.ts";
import type { Lexicon } from "../recall/language/lexicon.ts";
import { startTokenBuild, type TokenBuild } from "../worker/token-build.ts";

/** A running token model, with its stored vectors. */
export interface OpenedTokenModel {
  readonly model: TokenModel;
  /** Starts to make missing vectors. */
  startBuild(report: (error: unknown) => void): TokenBuild;
  close(): Promise<void>;
}

interface TokenModelParts {
  readonly sql: Sql;
  readonly lexicon: Lexicon;
  readonly log: (message: string) => void;
}

/**
 * How long a query waits for its token vectors before continuing without them: several times what a busy model takes.
 */
const QUERY_WITHIN_MS = 300;
/** With more, the last would time out and delay later ones. */
const QUERIES_MAX = 16;

/** Opens the token model of this version. Returns null, after logging the reason, if it cannot run here. */
export async function openTokenModel({
  sql,
  lexicon,
  log,
}: TokenModelParts): Promise<OpenedTokenModel | null> {
  try {
    return await serving(sql, await openTokenEncoder(lexicon, MODEL_FILE));
  } catch (error) {
    if (!(error instanceof TokenModelError)) throw error;
    log(`TOKEN_MODEL=on has no effect; recall works without the token model. ${error.message}`);
    return null;
  }
}

async function serving(sql: Sql, encoder: TokenEncoder): Promise<OpenedTokenModel> {
  const generation = await ensureTokenGeneration(sql, encoder.generation);
  const ofOne = <T>(work: () => Promise<T>) => withSessionLock(sql, `token build ${generation}`, work);
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking = 0;

  /** Counts as running until the model has finished, even if no one waits any more. */
  async function encodeQuery(text: string): Promise<TokenVectors> {
    if (asking >= QUERIES_MAX) throw new TokenModelError("Too many queries are waiting for the model.");
    asking++;
    try {
      return await encoder.encodeQuery(text);
    } finally {
      asking--;
    }
  }

  return {
    model: {
      dimension: encoder.generation.dimension,
      query(text) {
        askedAt = performance.now();
        return within(encodeQuery(text), QUERY_WITHIN_MS);
      },
      passages: createPassageReader(sql, generation),
    },
    startBuild: (report) =>
      startTokenBuild(
        {
          encoder,
          backlog: createTokenBacklog(sql, generation),
          askedAt: () => askedAt,
          withSessionLock: ofOne,
        },
        report,
      ),
    close: () => encoder.close(),
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TokenModelError("The model did not answer in time.")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
