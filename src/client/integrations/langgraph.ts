/**
 * A LangGraph store on Recollect: what a graph stores across threads is available to every agent of the same user, and
 * can be searched by meaning, corrected and exported like any memory.
 *
 * @example
 * ```ts
 * const store = new RecollectStore(client);
 * const graph = builder.compile({ store });
 * await store.put(["users", "ada"], "food", { text: "Ada does not eat nuts." });
 * ```
 * @module
 */
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from "@langchain/langgraph-checkpoint";
import type { Client } from "../client.ts";
import type { Memory } from "../contract.ts";
import { BRIEF_PATIENCE } from "../deadline.ts";
import { isRecollectError } from "../error.ts";
import { isMatching } from "./item-filter.ts";
import { derivedId, pathBelow } from "./placement.ts";

export interface RecollectStoreOptions {
  /** The path below which items are stored. Default: `langgraph`. Stores with different paths are independent. */
  readonly path?: string;
  /** `private` (the user's own items, the default) or `team`, which needs `teamId`. */
  readonly scope?: "private" | "team";
  readonly teamId?: string;
  /** The end user whose store it is: as `client.forUser`. */
  readonly user?: string;
  /** The texts of a value to search by meaning, unless `put` names them. Default: every text. */
  readonly fields?: readonly string[];
}

/** Metadata of an item's memory. */
interface Held {
  readonly namespace: string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
  /** false: excluded from search by meaning. */
  readonly searched?: false;
}

const BUCKET = "langgraph";
const PAGE = 1000;
/** Maximum number of concurrent requests of a batch. */
const AT_ONCE = 8;
/** Maximum number of results of a search by meaning. */
const FOUND_MAX = 100;
const CONTENT_MAX = 65_536;
const SEARCHED_LIMIT = 10;
const PUT_ATTEMPTS = 3;

/**
 * A `BaseStore`. Reads in a batch see the store as it was before the batch; of several puts of one key the last wins. A
 * batch is not a transaction: if it rejects, part of it may have been written. Rejects with a `RecollectError`.
 */
export class RecollectStore extends BaseStore {
  readonly #client: Client;
  readonly #root: string;
  readonly #fields: readonly string[] | undefined;
  readonly #owner: { scope: "private" | "team"; team_id?: string };

  constructor(
    client: Client,
    { path = "langgraph", scope, teamId, user, fields }: RecollectStoreOptions = {},
  ) {
    super();
    this.#client = user === undefined ? client : client.forUser(user);
    this.#root = path;
    this.#fields = fields;
    this.#owner = {
      scope: scope ?? (teamId === undefined ? "private" : "team"),
      ...(teamId !== undefined && { team_id: teamId }),
    };
  }

  override async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validate(operation);
    const answers = await someAtOnce(operations, (operation) =>
      isPut(operation) ? null : this.#read(operation),
    );
    const puts = operations
      .filter(isPut)
      .map((put) => [JSON.stringify([put.namespace, put.key]), put] as const);
    await someAtOnce([...new Map(puts).values()], (put) => this.#put(put));
    return answers as OperationResults<Op>;
  }

  #read(operation: Exclude<Operation, PutOperation>): Promise<Item | SearchItem[] | string[][] | null> {
    if ("namespacePrefix" in operation) return this.#search(operation);
    if ("key" in operation) return this.#get(operation);
    return this.#namespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const memory = await this.#memoryOf(await this.#idOf(namespace, key));
    return memory && itemOf(memory);
  }

  /** Returns null if there is none, or only another owner's: a teammate can give a team's memory the same id. */
  async #memoryOf(memory_id: string): Promise<Memory | null> {
    try {
      const memory = await this.#client.getMemory({ memory_id }, BRIEF_PATIENCE);
      const { scope, team_id = null } = this.#owner;
      return memory.scope === scope && (team_id === null || memory.team_id === team_id) ? memory : null;
    } catch (error) {
      if (isRecollectError(error, "not_found")) return null;
      throw error;
    }
  }

  async #put({ namespace, key, value, index }: PutOperation): Promise<void> {
    const memory_id = await this.#idOf(namespace, key);
    if (value === null) return this.#delete(memory_id);
    const isSearched = index !== false;
    const text = isSearched ? contentOf(value, index ?? this.#fields) : "";
    const held: Held = { namespace, key, value, ...(!isSearched && { searched: false }) };
    const written = { content: wellCut(text || key || JSON.stringify(namespace)), metadata: { ...held } };
    const place = { path: this.#pathOf(namespace), bucket: BUCKET, ...this.#owner };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#client.storeMemory({ memory_id, ...place, ...written }, BRIEF_PATIENCE);
        return;
      } catch (error) {
        if (!isRecollectError(error, "memory_id_conflict") || attempt === PUT_ATTEMPTS) throw error;
      }
      try {
        await this.#client.updateMemory(
          { memory_id, ...written, merge_metadata: false, detect_conflicts: false },
          BRIEF_PATIENCE,
        );
        return;
      } catch (error) {
        // It was deleted meanwhile, so it is created again.
        if (!isRecollectError(error, "not_found")) throw error;
      }
    }
  }

  async #delete(memory_id: string): Promise<void> {
    if (!(await this.#memoryOf(memory_id))) return;
    try {
      await this.#client.deleteMemory({ memory_id, mode: "hard_delete" }, BRIEF_PATIENCE);
    } catch (error) {
      if (!isRecollectError(error, "not_found")) throw error;
    }
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, query, offset = 0, limit = SEARCHED_LIMIT } = operation;
    const isWanted = ({ namespace, value }: Item) =>
      startsWith(namespace, namespacePrefix) && isMatching(value, filter);
    const wanted: SearchItem[] = [];
    const found = query ? this.#found(query, namespacePrefix) : this.#listed(namespacePrefix);
    for await (const item of found) {
      if (wanted.length >= offset + limit) break;
      if (isWanted(item)) wanted.push(item);
    }
    return wanted.slice(offset, offset + limit);
  }

  /** Yields search results, best first. */
  async *#found(query: string, prefix: readonly string[]): AsyncGenerator<SearchItem> {
    const { results } = await this.#client.searchMemoriesByBody(
      { ...this.#filterOf(prefix), query, limit: FOUND_MAX },
      BRIEF_PATIENCE,
    );
    for (const result of results) {
      const item = itemOf(result);
      if (item && result.metadata.searched !== false) yield { ...item, score: result.score };
    }
  }

  /** Yields listed items, newest first. */
  async *#listed(prefix: readonly string[]): AsyncGenerator<SearchItem> {
    for await (const memory of this.#client.each(
      "listMemories",
      { ...this.#filterOf(prefix), limit: PAGE },
      BRIEF_PATIENCE,
    )) {
      const item = itemOf(memory);
      if (item) yield item;
    }
  }

  async #namespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, offset = 0, limit } = operation;
    const prefix = matchConditions.find(({ matchType }) => matchType === "prefix")?.path ?? [];
    const wildcard = prefix.indexOf("*");
    const labels = wildcard === -1 ? prefix : prefix.slice(0, wildcard);
    const namespaces = new Map<string, string[]>();
    for await (const { namespace } of this.#listed(labels)) {
      if (!matchConditions.every((condition) => isMatched(namespace, condition))) continue;
      const shown = namespace.slice(0, maxDepth);
      namespaces.set(shown.join(":"), shown);
    }
    const sorted = [...namespaces].sort(([a], [b]) => a.localeCompare(b)).map(([, namespace]) => namespace);
    return sorted.slice(offset, limit === undefined ? undefined : offset + limit);
  }

  /** Returns a filter that may match too much: labels that only begin with the last one. */
  #filterOf(prefix: readonly string[]) {
    return { ...this.#owner, bucket: BUCKET, path: `${this.#pathOf(prefix)}%` };
  }

  #pathOf(namespace: readonly string[]): string {
    return pathBelow(this.#root, namespace);
  }

  #idOf(namespace: readonly string[], key: string): Promise<string> {
    return derivedId("langgraph", [this.#root, this.#owner, namespace, key]);
  }
}

function isPut(operation: Operation): operation is PutOperation {
  return "value" in operation;
}

/** Validates like the in-memory store. `put` refuses more, but a graph's own writes may contain it. */
function validate(operation: Operation): void {
  const rules = { allowReservedRoot: true };
  if ("namespace" in operation) validateNamespace(operation.namespace, rules);
  if ("namespacePrefix" in operation)
    validateNamespace(operation.namespacePrefix, { ...rules, allowEmpty: true });
}

/** Converts a memory to an item; null if it is not one, since others may store memories there. */
function itemOf({
  metadata,
  created_at,
  updated_at,
}: Pick<Memory, "metadata" | "created_at" | "updated_at">) {
  const { namespace, key, value } = metadata as Partial<Held>;
  if (!Array.isArray(namespace) || typeof key !== "string" || typeof value !== "object" || value === null)
    return null;
  return { namespace, key, value, createdAt: new Date(created_at), updatedAt: new Date(updated_at) };
}

function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= namespace.length && prefix.every((label, at) => namespace[at] === label);
}

function isMatched(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const start = matchType === "suffix" ? namespace.length - path.length : 0;
  if (path.length > namespace.length) return false;
  return path.every((label, at) => label === "*" || namespace[start + at] === label);
}

/** Returns the texts to search, those of the fields or all, one per line. */
function contentOf(value: Record<string, unknown>, fields: readonly string[] | undefined): string {
  const texts = fields === undefined ? textsIn(value) : fields.flatMap((path) => textsAt(value, path));
  return texts.filter((text) => text.trim() !== "").join("\n");
}

/** Returns the texts at a LangGraph path: `title`, `chapters[*].content`, `chapters[0]`, or `$` for all. */
function textsAt(value: Record<string, unknown>, path: string): string[] {
  const steps = path === "$" ? [] : path.split(/\.|(?=\[)/);
  let reached: unknown[] = [value];
  for (const step of steps) reached = reached.flatMap((inner) => membersAt(inner, step));
  return reached.flatMap(textsIn);
}

function membersAt(value: unknown, step: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const [, index] = /^\[(.+)\]$/.exec(step) ?? [];
  if (index === undefined)
    return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
  if (!Array.isArray(value)) return [];
  return index === "*" ? value : [value.at(Number(index))];
}

function textsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return value == null ? [] : [String(value)];
  return Object.entries(value).flatMap(([name, inner]) =>
    Array.isArray(value) || typeof inner === "object"
      ? textsIn(inner)
      : textsIn(inner).map((text) => `${name}: ${text}`),
  );
}

/** Truncates without splitting a character. */
function wellCut(content: string): string {
  return content.slice(0, CONTENT_MAX).replace(/[\uD800-\uDBFF]$/, "");
}

async function someAtOnce<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
