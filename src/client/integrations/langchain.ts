/**
 * A LangChain retriever over what is remembered.
 *
 * @example
 * ```ts
 * const retriever = new RecollectRetriever(client, { search: { limit: 8, path: "notes/deploys%" } });
 * const documents = await retriever.invoke("When is Apollo deployed?");
 * ```
 * @module
 */
import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { Client } from "../client.ts";
import type { SearchRequest, SearchResult } from "../contract.ts";

/** Options of LangChain's retrievers, and of the search. */
export interface RecollectRetrieverOptions extends BaseRetrieverInput {
  /** How many memories, and what they are narrowed to, as the operation `searchMemoriesByBody` takes it. */
  readonly search?: Omit<SearchRequest, "query"> | undefined;
  /**
   * If given, it is called with the error of a failed search, which then finds nothing, so that a chain goes on; otherwise it rejects
   * with a `RecollectError`.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Finds memories, the best first. A document has the memory's content, and in its metadata what else a reader wants. */
export class RecollectRetriever extends BaseRetriever {
  static override lc_name(): string {
    return "RecollectRetriever";
  }

  override lc_namespace: string[] = ["recollect", "retrievers"];
  readonly #client: Client;
  readonly #search: Omit<SearchRequest, "query">;
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(client: Client, options: RecollectRetrieverOptions = {}) {
    const { search = {}, onError, ...fields } = options;
    super(fields);
    this.#client = client;
    this.#search = search;
    this.#onError = onError;
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    try {
      const { results } = await this.#client.searchMemoriesByBody({ ...this.#search, query });
      return results.map(documentOf);
    } catch (error) {
      if (!this.#onError) throw error;
      this.#onError(error);
      return [];
    }
  }
}

/** The memory's own metadata first: what the service says of it stands over that. */
function documentOf(found: SearchResult): Document {
  const { id, content, metadata, score, path, bucket, memory_type, source, created_at, updated_at } = found;
  return new Document({
    id,
    pageContent: content,
    metadata: { ...metadata, score, path, bucket, memory_type, source, created_at, updated_at },
  });
}
