import type { Sql } from "../adapters/postgres/database/client.ts";
import { withSessionLock } from "../adapters/postgres/database/locks.ts";
import {
  createPassageReader,
  createTokenBacklog,
  ensureTokenGeneration,
} from "../adapters/postgres/recall/token-vectors.ts";
import { TokenModelError } from "../adapters/token-encoder/model-file.ts";
import { openTokenEncoder } from "../adapters/token-encoder/token-encoder.ts";
import type { TokenEncoder } from "../core/embedding/token-encoder.ts";
import { encodeTokens } from "../core/projection/encode-later.ts";
import type { TokenModel } from "../recall/index/token-model.ts";
import type { Lexicon } from "../recall/language/lexicon.ts";
import { type ModelBuild, startModelBuild } from "../worker/model-build.ts";
import { createModelQueries } from "./model-queries.ts";

/** A running token model, with its stored vectors. */
export interface OpenedTokenModel {
  readonly model: TokenModel;
  /** Starts to make missing vectors. */
  startBuild(report: (error: unknown) => void): ModelBuild;
  close(): Promise<void>;
}

interface TokenModelParts {
  readonly sql: Sql;
  readonly lexicon: Lexicon;
  readonly log: (message: string) => void;
}

/** Opens the token model of this version. Returns null, after logging the reason, if it cannot run here. */
export async function openTokenModel({
  sql,
  lexicon,
  log,
}: TokenModelParts): Promise<OpenedTokenModel | null> {
  try {
    return await serving(sql, await openTokenEncoder(lexicon));
  } catch (error) {
    if (!(error instanceof TokenModelError)) throw error;
    log(`TOKEN_MODEL=on has no effect; recall works without the token model. ${error.message}`);
    return null;
  }
}

async function serving(sql: Sql, encoder: TokenEncoder): Promise<OpenedTokenModel> {
  const generation = await ensureTokenGeneration(sql, encoder.generation);
  const ofOne = <T>(work: () => Promise<T>) => withSessionLock(sql, `token build ${generation}`, work);
  const queries = createModelQueries((message) => new TokenModelError(message));
  return {
    model: {
      dimension: encoder.generation.dimension,
      query: (text) => queries.ask(() => encoder.encodeQuery(text)),
      passages: createPassageReader(sql, generation),
    },
    startBuild: (report) =>
      startModelBuild(
        {
          encode: (memory) => encodeTokens(encoder, memory),
          backlog: createTokenBacklog(sql, generation),
          askedAt: queries.askedAt,
          withSessionLock: ofOne,
        },
        report,
      ),
    close: () => encoder.close(),
  };
}
