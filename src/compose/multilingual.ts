import { openMultilingualEncoder } from "../adapters/multilingual-encoder/multilingual-encoder.ts";
import { MultilingualEncoderError } from "../adapters/multilingual-encoder/package-files.ts";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { withSessionLock } from "../adapters/postgres/database/locks.ts";
import { createMultilingualBacklog } from "../adapters/postgres/recall/multilingual-vectors.ts";
import type { MultilingualEncoder } from "../core/embedding/multilingual-encoder.ts";
import { encodeMultilingual } from "../core/projection/encode-later.ts";
import type { MultilingualModel } from "../recall/index/multilingual.ts";
import { type ModelBuild, startModelBuild } from "../worker/model-build.ts";
import { createModelQueries } from "./model-queries.ts";

/** The multilingual encoder, which loads in the background. Until it has, and without it, nothing is compared by it. */
export interface OpenedMultilingual {
  readonly model: MultilingualModel;
  /** Starts to make missing vectors, beside those of the built-in embedder's generation. */
  startBuild(generation: number, report: (error: unknown) => void): ModelBuild;
  close(): Promise<void>;
}

interface MultilingualParts {
  readonly sql: Sql;
  readonly log: (message: string) => void;
  readonly report: (error: unknown) => void;
}

/** Starts to load the encoder. Logs the reason if it is installed and cannot run here. */
export function openMultilingual({ sql, log, report }: MultilingualParts): OpenedMultilingual {
  const queries = createModelQueries((message) => new MultilingualEncoderError(message));
  let encoder: MultilingualEncoder | null = null;
  const opening = opened(log, report).then((found) => {
    encoder = found;
    return found;
  });
  const asked = async <T>(work: (encoder: MultilingualEncoder) => Promise<T>): Promise<T | null> => {
    const ready = encoder;
    return ready === null ? null : queries.ask(() => work(ready));
  };
  return {
    model: {
      languageOf(text) {
        queries.note();
        return encoder?.languageOf(text) ?? null;
      },
      query: (whole, sentences) => asked((encoder) => encoder.encodeQuery(whole, sentences)),
    },
    startBuild(generation, report) {
      let build: ModelBuild | null = null;
      let isStopped = false;
      void opening.then((encoder) => {
        if (encoder === null || isStopped) return;
        build = startModelBuild(
          {
            encode: (memory) => encodeMultilingual(encoder, memory),
            backlog: createMultilingualBacklog(sql, { generation, model: encoder.generation.model }),
            askedAt: queries.askedAt,
            withSessionLock: (work) => withSessionLock(sql, `multilingual build ${generation}`, work),
          },
          report,
        );
      });
      return {
        // What is written before it runs is found by its first scan.
        notify: (memories) => build?.notify(memories),
        async stop() {
          isStopped = true;
          await build?.stop();
        },
      };
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

async function opened(
  log: (message: string) => void,
  report: (error: unknown) => void,
): Promise<MultilingualEncoder | null> {
  try {
    return await openMultilingualEncoder();
  } catch (error) {
    if (error instanceof MultilingualEncoderError)
      log(`Recall compares meaning in English only. ${error.message}`);
    else report(error);
    return null;
  }
}
