/** An answer before it is a `Response`: what was decided, without what every answer carries. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

const utf8 = new TextEncoder();

/**
 * The response to `method` with the headers that every answer carries, of which the answer's own take precedence. HEAD
 * gets the headers of GET alone; 204 has neither a body nor a length.
 */
export function toResponse(
  answer: Answer,
  how: { method: string; path: string; requestId: string; headers: Readonly<Record<string, string>> },
): Response {
  const { status } = answer;
  const bytes = utf8.encode(answer.body);
  const headers: Record<string, string> = {
    ...how.headers,
    ...answer.headers,
    // Bun and Deno would say it by themselves, Node would not.
    ...(status === 204 ? {} : { "content-length": String(bytes.length) }),
    "x-request-id": how.requestId,
  };
  if (how.path.startsWith("/v1/")) headers["cache-control"] = "no-store, private";
  return new Response(how.method === "HEAD" || status === 204 ? null : bytes, { status, headers });
}
