/** What is to be judged, and for whom. */
export interface RerankRequest {
  /** Whose share of what is asked at once it uses: see `partyOf`. */
  readonly party: string;
  readonly query: string;
  readonly passages: readonly string[];
}

/** Reads a query together with each of some texts and judges how well the text answers it, as a cross-encoder does. */
export interface Reranker {
  /** How many of the best hits it is asked about. */
  readonly candidatesMax: number;
  /**
   * One finite number for each passage, in order: the better the text answers, the higher, on a scale of the model's own.
   * Null where it did not answer in time, or not as it should: no request fails because of it.
   */
  rerank(request: RerankRequest): Promise<readonly number[] | null>;
}
