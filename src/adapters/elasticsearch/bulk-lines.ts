import { Buffer } from "node:buffer";
import { bucketOf, fingerprint } from "../../core/projection/fingerprint.ts";
import type { EngineChange } from "../../core/projection/search-engine.ts";
import {
  type DocumentContext,
  type ElasticDocument,
  toElasticDocument,
  toElasticTombstone,
} from "./document.ts";

/** A change in the form of a bulk request. */
export interface BulkItem {
  readonly change: EngineChange;
  /** The action and the document, one line each. */
  readonly lines: string;
  readonly bytes: number;
}

/** Throws where the document cannot be made. */
export function toBulkItem(change: EngineChange, context: DocumentContext, now: number): BulkItem {
  if (change.kind === "remove") return item(change, toElasticTombstone(change, now), change.revision * 2, {});
  const document = toElasticDocument(change.document, context);
  const { id, revision } = document;
  const checks = { check_bucket: bucketOf(id), check_sum: fingerprint(id, revision) };
  return item(change, document, revision * 2 + 1, checks);
}

/**
 * Versions at the engine: of a removal twice its revision, of a put one more. A memory that moves to another owner is
 * removed and put at the same revision; where both owners are on one shard these are one document, and the put stays.
 * A removal still outweighs everything before it.
 */
function item(
  change: EngineChange,
  { id, routing, body }: ElasticDocument,
  version: number,
  checks: Readonly<Record<string, number>>,
): BulkItem {
  const action = { index: { _id: id, routing, version, version_type: "external_gte" } };
  const lines = `${JSON.stringify(action)}\n${JSON.stringify({ ...body, ...checks })}\n`;
  return { change, lines, bytes: Buffer.byteLength(lines) };
}
