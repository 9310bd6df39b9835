import type { RecallIndex } from "../../recall/index/recall-index.ts";
import type { TokenModel } from "../../recall/index/token-model.ts";
import type { Embedder } from "../embedding/embedder.ts";

/**
 * What a query goes to: an index, and the embedder whose vectors it holds. They are chosen together and once for each
 * query, since vectors of two generations must not be compared.
 */
export interface Serving {
  readonly index: RecallIndex;
  readonly embedder: Pick<Embedder, "query">;
  /** The number of the embedder's generation. */
  readonly generation: number;
  /** null: words and vectors alone decide the order. */
  readonly tokens: TokenModel | null;
}
