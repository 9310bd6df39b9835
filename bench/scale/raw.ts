import type { Client } from "@elastic/elasticsearch";
import type { Asked } from "./recorder.ts";

/** The same requests by the raw client, one after the other as the service waits for each. */
export async function replay(client: Client, asked: Asked): Promise<void> {
  for (const { method, path, body } of asked) {
    const { pathname, searchParams } = new URL(path, "http://node");
    await client.transport.request(
      { method, path: pathname, querystring: Object.fromEntries(searchParams), bulkBody: body },
      { headers: { "content-type": "application/vnd.elasticsearch+x-ndjson; compatible-with=9" } },
    );
  }
}
