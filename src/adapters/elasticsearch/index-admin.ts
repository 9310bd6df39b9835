import { type Client, errors } from "@elastic/elasticsearch";
import { IndexUnavailable } from "../../core/recall/index-unavailable.ts";
import { writeAlias } from "./index-names.ts";
import { indexDefinition } from "./mapping.ts";
import { hasSeal, setSeal } from "./seal.ts";

/** Of each index that is made. */
export interface IndexShape {
  readonly shards: number;
  /** null: one copy where there is a second node for it. */
  readonly replicas: number | null;
  /** Which database the index belongs to: a cluster may serve several. */
  readonly database: string;
}

const REQUEST = { requestTimeout: 30_000 } as const;

/** Fields of the projection's own, to compare an index with the record by. */
const CHECKS = { check_bucket: { type: "short" }, check_sum: { type: "long" } } as const;

/** Makes an index with the alias that it is written by, and resolves its uuid. */
export async function createIndex(
  client: Client,
  name: string,
  dimension: number,
  { shards, replicas, database }: IndexShape,
): Promise<string> {
  const { settings, mappings } = indexDefinition({ dimension, shards, replicas: replicas ?? 0 });
  const { number_of_replicas: _, ...others } = settings;
  const copies = replicas === null ? { auto_expand_replicas: "0-1" } : { number_of_replicas: replicas };
  const definition = {
    settings: { ...others, ...copies },
    mappings: {
      ...mappings,
      // Servers of a newer version may write fields that this index does not know yet.
      dynamic: false as const,
      _meta: { ...mappings._meta, database },
      properties: { ...mappings.properties, ...CHECKS },
    },
    aliases: { [writeAlias(name)]: {} },
  };
  await client.indices.create({ index: name, ...(definition as object) }, REQUEST);
  await setSeal(client, name, REQUEST.requestTimeout);
  const uuid = await findIndex(client, name, database);
  if (uuid === null) throw new Error("an index that was just made is not there");
  return uuid;
}

/** The uuid of the index of that very name, if it was made for this database, can be written and was not emptied. */
export async function findIndex(client: Client, name: string, database: string): Promise<string | null> {
  try {
    const found = await client.indices.get(
      { index: name, filter_path: ["*.aliases", "*.settings.index.uuid", "*.mappings._meta"] },
      REQUEST,
    );
    const index = understood(found)[name];
    const isOurs = index?.mappings?._meta?.database === database;
    if (!isOurs || index?.aliases?.[writeAlias(name)] === undefined) return null;
    if (!(await hasSeal(client, name, REQUEST.requestTimeout))) return null;
    return index.settings?.index?.uuid ?? null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** In one step, so that nobody finds no index there, or two. */
export async function pointAlias(client: Client, alias: string, index: string): Promise<void> {
  const before = await holders(client, alias);
  const others = before.filter((name) => name !== index);
  const actions = others.map((name) => ({ remove: { index: name, alias } }));
  await client.indices.updateAliases({ actions: [...actions, { add: { index, alias } }] }, REQUEST);
}

async function holders(client: Client, alias: string): Promise<string[]> {
  try {
    return Object.keys(understood(await client.indices.getAlias({ name: alias }, REQUEST)));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

export async function dropIndex(client: Client, name: string): Promise<void> {
  await client.indices.delete({ index: name, ignore_unavailable: true }, REQUEST);
}

/** The indexes below the alias's name that were made for this database. */
export async function ownedIndexes(client: Client, alias: string, database: string): Promise<string[]> {
  const found = await client.indices.get(
    { index: `${alias}-*`, filter_path: ["*.mappings._meta"], allow_no_indices: true },
    REQUEST,
  );
  return Object.entries(understood(found))
    .filter(([, index]) => index.mappings?._meta?.database === database)
    .map(([name]) => name);
}

/** An answer that tells of no index must not pass for one that tells that there is none: what is not there is built anew. */
function understood<T>(indices: Record<string, T>): Record<string, T> {
  if (Object.values(indices).every((index) => typeof index === "object" && index !== null)) return indices;
  throw new IndexUnavailable("unintelligible");
}

function isNotFound(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 404;
}
