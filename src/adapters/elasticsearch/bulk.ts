import { Buffer } from "node:buffer";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type Client, errors } from "@elastic/elasticsearch";
import { bucketOf, fingerprint } from "../../core/projection/fingerprint.ts";
import { portions } from "../../core/projection/portions.ts";
import type { EngineChange, WriteHow, Written, WrittenIndex } from "../../core/projection/search-engine.ts";
import { IndexUnavailable } from "../../recall/index/index-unavailable.ts";
import type { Lexicon } from "../../recall/language/lexicon.ts";
import {
  type DocumentContext,
  type ElasticDocument,
  toElasticDocument,
  toElasticTombstone,
} from "./document.ts";
import { writeAlias } from "./mapping.ts";

const ITEMS_MAX = 500;
const BYTES_MAX = 8 * 1024 * 1024;
const BYTES_MIN = 64 * 1024;
const REQUEST_MS = 30_000;
const TRIES_MAX = 6;
const PAUSE_MS = 200;
const PAUSE_MAX_MS = 5000;
/** Rows read longer ago than this are not sent: they could restore a memory that was removed and purged since. */
const STALE_AFTER_MS = 10 * 60_000;

export type BulkWriter = (
  index: WrittenIndex,
  changes: readonly EngineChange[],
  how: WriteHow,
) => Promise<Written[]>;

/**
 * Writes in requests of a bounded size. If the engine is overloaded, retries after a pause with smaller requests. The
 * size grows again when requests succeed.
 */
export function createBulkWriter(client: Client, lexicon: Lexicon): BulkWriter {
  let bytesMax = BYTES_MAX;

  return async function write(index, changes, how) {
    const results = new Map<EngineChange, Written>();
    let waiting = await preparedItems(index, changes, lexicon, results);
    for (let tries = 1; waiting.length > 0; tries += 1) {
      const busy: BulkItem[] = [];
      for (const portion of portions(waiting, { items: ITEMS_MAX, bytes: bytesMax })) {
        requireFresh(how);
        busy.push(...(await send(index, portion, how, results)));
      }
      waiting = busy;
      if (busy.length === 0) bytesMax = Math.min(BYTES_MAX, bytesMax * 1.5);
      else {
        if (tries === TRIES_MAX) throw new IndexUnavailable("overloaded");
        bytesMax = Math.max(BYTES_MIN, bytesMax / 2);
        await sleep(Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** tries) * (0.5 + Math.random()));
      }
    }
    return changes.map((change) => results.get(change) as Written);
  };

  /** Returns the items to retry: the engine was busy, or the request was too large. */
  async function send(
    index: WrittenIndex,
    portion: readonly BulkItem[],
    how: WriteHow,
    results: Map<EngineChange, Written>,
  ): Promise<readonly BulkItem[]> {
    const answers = await bulk(client, index.name, portion, how.isShown);
    // The engine, or a proxy in front of it, refuses requests of this size.
    if (portion.length > 1 && answers.every(({ status }) => status === 413)) return portion;
    const busy: BulkItem[] = [];
    const refused: BulkItem[] = [];
    for (const [at, item] of portion.entries()) {
      const { status, type } = answers[at] as ItemAnswer;
      if (status < 300 || status === 409) results.set(item.change, DONE);
      else if (status === 429) busy.push(item);
      else if (isDocumentsFault(status, item.change)) {
        results.set(item.change, { refused: `engine: ${type}` });
        refused.push(item);
      } else
        throw new IndexUnavailable(status === 404 ? "building" : "failed", { detail: `${status} ${type}` });
    }
    await empty(index, refused, how);
    return busy;
  }

  /** Replaces refused documents by tombstones, so that no older version of them remains. */
  async function empty(index: WrittenIndex, refused: readonly BulkItem[], how: WriteHow): Promise<void> {
    const items = refused.flatMap(({ change }) => emptied(index, change, lexicon));
    if (items.length === 0) return;
    const answers = await bulk(client, index.name, items, how.isShown);
    const wrong = answers.find(({ status }) => status >= 300 && status !== 409);
    if (wrong) throw new IndexUnavailable("failed", { detail: `${wrong.status} ${wrong.type}` });
  }
}

const DONE: Written = { refused: null };

/** Making documents yields to requests after this time. A long text by itself takes tens of milliseconds. */
const TURN_MS = 5;

/** Makes the documents, and yields to requests in between. */
async function preparedItems(
  index: WrittenIndex,
  changes: readonly EngineChange[],
  lexicon: Lexicon,
  results: Map<EngineChange, Written>,
): Promise<BulkItem[]> {
  const context = { ...index, lexicon };
  const items: BulkItem[] = [];
  let since = performance.now();
  for (const change of changes) {
    if (performance.now() - since > TURN_MS) {
      await setImmediate();
      since = performance.now();
    }
    try {
      items.push(toBulkItem(change, context, Date.now()));
    } catch (error) {
      results.set(change, { refused: `document: ${error instanceof Error ? error.name : "unknown"}` });
      items.push(...emptied(index, change, lexicon));
    }
  }
  return items;
}

function emptied(index: WrittenIndex, change: EngineChange, lexicon: Lexicon): BulkItem[] {
  if (change.kind === "remove") return [];
  const { id, ownerId, revision } = change.document;
  return [toBulkItem({ kind: "remove", id, ownerId, revision }, { ...index, lexicon }, Date.now())];
}

/**
 * An internal error of the engine counts as the document's fault: a broken engine would refuse the tombstone as well.
 */
function isDocumentsFault(status: number, { kind }: EngineChange): boolean {
  return status === 400 || status === 413 || (status === 500 && kind === "put");
}

function requireFresh({ readAt }: WriteHow): void {
  if (Date.now() - readAt > STALE_AFTER_MS) throw new IndexUnavailable("slow");
}

interface ItemAnswer {
  readonly status: number;
  readonly type: string;
}

async function bulk(
  client: Client,
  index: string,
  items: readonly BulkItem[],
  isShown: boolean,
): Promise<readonly ItemAnswer[]> {
  try {
    const answer = await client.transport.request<{
      items?: { index: { status: number; error?: { type?: string } } }[];
    }>(
      {
        method: "POST",
        path: `/${writeAlias(index)}/_bulk`,
        bulkBody: items.map(({ lines }) => lines).join(""),
        querystring: {
          // A write must not recreate an index that is gone, with a guessed mapping.
          require_alias: true,
          refresh: isShown ? "wait_for" : "false",
          filter_path: "items.*.status,items.*.error.type",
        },
      },
      { requestTimeout: REQUEST_MS },
    );
    const answers = (answer.items ?? []).map(({ index: { status, error } }) => ({
      status,
      type: error?.type ?? "",
    }));
    if (answers.length !== items.length) throw new IndexUnavailable("unintelligible");
    return answers;
  } catch (error) {
    const status = error instanceof errors.ResponseError ? error.statusCode : undefined;
    if (status !== 413 && status !== 429) throw error;
    return items.map(() => ({ status, type: status === 413 ? "too large" : "" }));
  }
}

/** A change in the form of a bulk request. */
interface BulkItem {
  readonly change: EngineChange;
  /** The action and the document, one line each. */
  readonly lines: string;
  readonly bytes: number;
}

/** Throws if the document cannot be made. */
function toBulkItem(change: EngineChange, context: DocumentContext, now: number): BulkItem {
  if (change.kind === "remove")
    return item(change, toElasticTombstone(change, context.spread, now), change.revision * 2);
  const document = toElasticDocument(change.document, context);
  const { id, routing, revision } = document;
  const body = { ...document.body, check_bucket: bucketOf(id), check_sum: fingerprint(id, revision) };
  return item(change, { id, routing, body }, revision * 2 + 1);
}

/**
 * The version at the engine is twice the revision for a removal, and one more for a put. A memory that moves to another
 * owner is removed and put at the same revision. If both owners are on one shard, these are one document, and the put
 * wins. A removal still outweighs every earlier change.
 */
function item(
  change: EngineChange,
  { id, routing, body }: Omit<ElasticDocument, "revision">,
  version: number,
): BulkItem {
  const action = { index: { _id: id, routing, version, version_type: "external_gte" } };
  const lines = `${JSON.stringify(action)}\n${JSON.stringify(body)}\n`;
  return { change, lines, bytes: Buffer.byteLength(lines) };
}
