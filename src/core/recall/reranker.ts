/** The query and texts to judge, and on whose behalf. */
export interface RerankRequest {
  /** The party whose share of concurrent requests it uses: see `partyOf`. */
  readonly party: string;
  readonly query: string;
  readonly passages: readonly string[];
}

/** Judges how well each of some texts answers a query, reading both together like a cross-encoder. */
export interface Reranker {
  /** Maximum number of best hits to judge. */
  readonly candidatesMax: number;
  /**
   * One finite number per passage, in order: the higher, the better the text answers, on the model's own scale.
   * Resolves to null if there is no valid answer in time, so that no request fails because of the reranker.
   */
  rerank(request: RerankRequest): Promise<readonly number[] | null>;
}
