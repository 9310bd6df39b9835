import { createServer } from "node:http";
import { onTestFinished } from "vitest";

/** The program on a person's own device that waits for an answer of OAuth. */
export interface Callback {
  readonly url: string;
  /** The query it was called with, once it was. */
  readonly called: Promise<URLSearchParams>;
}

export async function openCallback(): Promise<Callback> {
  let heard: (query: URLSearchParams) => void = () => {};
  const called = new Promise<URLSearchParams>((resolve) => {
    heard = resolve;
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/callback") heard(searchParams);
    response
      .setHeader("content-type", "text/html")
      .end("<!doctype html><title>Back</title><h1>Back in the app</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/callback`, called };
}
