import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

export interface Memory {
  readonly ref: string;
  readonly content: string;
  readonly created_at: string;
  readonly session: string;
  readonly speaker: string;
}

export interface Query {
  readonly id: string;
  readonly query: string;
  readonly relevant: readonly string[];
  /** What is asked for in this way, where a set asks in several: its figures stand apart. */
  readonly kind?: string;
  /** Joins queries of several kinds or spaces, whose mean is reported too. */
  readonly group?: string;
  readonly after?: number | null;
}

export interface Space {
  readonly space: string;
  readonly memories: readonly Memory[];
  readonly queries: readonly Query[];
}

export interface DataSet {
  readonly name: string;
  readonly license: string;
  readonly spaces: readonly Space[];
}

/** Reads a file, gzipped or not. */
export async function readDataSet(file: string): Promise<DataSet> {
  const bytes = await readFile(file);
  return JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")) as DataSet;
}

/** When a query is asked: after so many memories of its space. */
export function askedAfter(query: Query, space: Space): number {
  return query.after ?? space.memories.length;
}
