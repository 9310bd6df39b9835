import { randomBytes } from "node:crypto";
import { describe } from "vitest";

/** A node, as tests ask it beside the service. */
export interface Node {
  readonly url: string;
  /** Where it wants to know who asks. */
  readonly authorization?: string;
}

const url = process.env.TEST_ELASTICSEARCH_URL || undefined;

/** The node of `TEST_ELASTICSEARCH_URL`. Tests make and remove indices named `recollect-test-*` there. */
export const NODE: Node | undefined = url === undefined ? undefined : { url };

/** The script that starts a node, for tests that kill one of their own: `SCRIPT PORT FOLDER`. */
export const START_SCRIPT: string | undefined = process.env.TEST_ELASTICSEARCH_START || undefined;

/** Tests that need a node. They are skipped where there is none. */
export const describeOnElasticsearch = describe.skipIf(NODE === undefined);

/** Tests that need a node which they may kill. They are skipped where none can be started. */
export const describeOnOwnNode = describe.skipIf(START_SCRIPT === undefined);

/** Indices that nobody else uses. */
export interface OwnIndices {
  readonly prefix: string;
  /** What a service is told to keep its index there. */
  readonly settings: Readonly<Record<string, string>>;
  /** Removes them, with all that has their prefix. */
  remove(): Promise<void>;
}

/** Indices of their own on this node. */
export function ownIndices(node: Node | undefined = NODE): OwnIndices {
  if (node === undefined) throw new Error("TEST_ELASTICSEARCH_URL must name a node.");
  const prefix = `recollect-test-${randomBytes(6).toString("hex")}`;
  return {
    prefix,
    settings: {
      ELASTICSEARCH_URL: node.url,
      ELASTICSEARCH_INDEX_PREFIX: prefix,
      // Tests share a small machine; a recall that gives up early would be one of the fallback's.
      ELASTICSEARCH_TIMEOUT_MS: "5000",
    },
    async remove() {
      for (const index of await indicesOf(node, prefix)) await ask(node, "DELETE", `/${index}`);
      await ask(node, "DELETE", `/_index_template/${prefix}*`);
    },
  };
}

/** The names of the indices that begin so. */
export async function indicesOf(node: Node, prefix: string): Promise<string[]> {
  const { body } = await ask(
    node,
    "GET",
    `/_cat/indices/${prefix}*?format=json&h=index&expand_wildcards=all`,
  );
  return (body as { index: string }[]).map(({ index }) => index);
}

/** A request to the node itself, beside the service. Rejects where it cannot be reached. */
export async function ask(
  { url, authorization }: Node,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
): Promise<{ status: number; body: any }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").includes("json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
