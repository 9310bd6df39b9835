/**
 * A LangChain retriever for memories.
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
import { BRIEF_PATIENCE } from "../deadline.ts";

/** Options of LangChain's retrievers, and of the search. */
export interface RecollectRetrieverOptions extends BaseRetrieverInput {
  /** The end user whose memories are searched: as `client.forUser`. */
  readonly user?: string | undefined;
  /** Limit and filters, as in the operation `searchMemoriesByBody`. */
  readonly search?: Omit<SearchRequest, "query"> | undefined;
  /**
   * If given, a failed search calls it with the error and returns no documents, so that the chain continues. Otherwise
   * a failed search rejects with a `RecollectError`.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Retrieves memories, best first. A document has the memory's content, and its other members as metadata. */
export class RecollectRetriever extends BaseRetriever {
  static override lc_name(): string {
    return "RecollectRetriever";
  }

  override lc_namespace: string[] = ["recollect", "retrievers"];
  readonly #client: Client;
  readonly #search: Omit<SearchRequest, "query">;
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(client: Client, options: RecollectRetrieverOptions = {}) {
    const { search = {}, user, onError, ...fields } = options;
    super(fields);
    this.#client = user === undefined ? client : client.forUser(user);
    this.#search = search;
    this.#onError = onError;
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    try {
      const { results } = await this.#client.searchMemoriesByBody({ ...this.#search, query }, BRIEF_PATIENCE);
      return results.map(documentOf);
    } catch (error) {
      if (!this.#onError) throw error;
      this.#onError(error);
      return [];
    }
  }
}

/** The service's members override the memory's own metadata. */
function documentOf(found: SearchResult): Document {
  const { id, content, metadata, score, path, bucket, memory_type, source, created_at, updated_at } = found;
  return new Document({
    id,
    pageContent: content,
    metadata: { ...metadata, score, path, bucket, memory_type, source, created_at, updated_at },
  });
}
