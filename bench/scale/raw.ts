import type { Client } from "@elastic/elasticsearch";
import type { Asked } from "./recorder.ts";

/** The moment up to which memories have expired. */
const MOMENT = /(?<="expires_at":\{"lte":)\d+/g;

/** The same requests by the raw client, one after the other as the service waits for each. */
export async function replay(client: Client, asked: Asked): Promise<void> {
  for (const { method, path, body } of asked) {
    const { pathname, searchParams } = new URL(path, "http://node");
    await client.transport.request(
      {
        method,
        path: pathname,
        querystring: Object.fromEntries(searchParams),
        // With the moment of now, as the service sends it: what was asked before to the letter, the engine has in a cache.
        bulkBody: body.replaceAll(MOMENT, String(Date.now())),
      },
      { headers: { "content-type": "application/vnd.elasticsearch+x-ndjson; compatible-with=9" } },
    );
  }
}
