import type { MultilingualModel } from "../../recall/index/multilingual.ts";
import type { RecallIndex } from "../../recall/index/recall-index.ts";
import type { TokenModel } from "../../recall/index/token-model.ts";
import type { Embedder } from "../embedding/embedder.ts";

/**
 * The index that serves a query, and the embedder of that index's vectors. Both are chosen together, once per query,
 * since vectors of different generations must not be compared.
 */
export interface Serving {
  readonly index: RecallIndex;
  readonly embedder: Pick<Embedder, "query">;
  /** The number of the embedder's generation. */
  readonly generation: number;
  /** null: only words and vectors decide the order. */
  readonly tokens: TokenModel | null;
  /** null: meaning is compared by the embedder's vectors alone. */
  readonly multilingual: MultilingualModel | null;
}
