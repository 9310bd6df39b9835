import type { Client } from "@elastic/elasticsearch";
import { openProxy, type Wanted } from "../../test/faults/proxy.ts";

/** What one recall asks of the engine, request after request. */
export type Asked = readonly Wanted[];

/** Listens between the service and the node. */
export interface Recorder {
  readonly url: string;
  /** What the service asks of the engine's searches while it does this. */
  during(work: () => Promise<unknown>): Promise<Asked>;
  close(): Promise<void>;
}

const isSearch = ({ path, method }: { path: string; method: string }) =>
  method === "POST" && /\/_(m?search|esql)\b/.test(path);

export async function openRecorder(node: string): Promise<Recorder> {
  const proxy = await openProxy(node);
  return {
    url: proxy.url,
    async during(work) {
      const heard: Wanted[] = [];
      const instead = (wanted: Wanted) => {
        heard.push(wanted);
        return wanted;
      };
      await proxy.inject({ kind: "ask", instead }, isSearch);
      await work();
      await proxy.heal();
      return heard;
    },
    close: () => proxy.close(),
  };
}

/** The same requests by the raw client, one after the other as the service waits for each. */
export async function replay(client: Client, asked: Asked): Promise<void> {
  for (const { method, path, body } of asked) {
    const { pathname, searchParams } = new URL(path, "http://node");
    const isLines = pathname.endsWith("_msearch");
    const type = `application/vnd.elasticsearch+${isLines ? "x-ndjson" : "json"}; compatible-with=9`;
    await client.transport.request(
      {
        method,
        path: pathname,
        querystring: Object.fromEntries(searchParams),
        ...(isLines ? { bulkBody: body } : { body: JSON.parse(body) }),
      },
      { headers: { "content-type": type } },
    );
  }
}
