import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** A collector of traces: it takes OTLP over HTTP as JSON, and keeps all of it. It goes with the test. */
export async function otlpReceiver(): Promise<{
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly resources: Readonly<Record<string, unknown>>[];
  /** All that was sent, as text. */
  text(): string;
}> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  let text = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    text += body;
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      resources.push(valuesOf(resource.attributes));
      for (const { spans: sent } of scopeSpans)
        for (const { traceId, spanId, parentSpanId, name, attributes } of sent)
          spans.push({
            traceId,
            spanId,
            parentSpanId: parentSpanId || null,
            name,
            attributes: valuesOf(attributes),
          });
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, resources, text: () => text };
}

type Pair = { key: string; value: Record<string, unknown> };

function valuesOf(pairs: readonly Pair[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, Object.values(value)[0] as string | number | boolean]),
  );
}
