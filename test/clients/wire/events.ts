import type { ServerResponse } from "node:http";

/** Answers with server-sent events; one with a `type` carries it as its name too. */
export function events(response: ServerResponse, list: readonly object[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of list) {
    if ("type" in event) response.write(`event: ${event.type}\n`);
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

export function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
