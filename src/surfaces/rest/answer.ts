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

/** Headers of every answer: no guessing of types, no framing, nothing told to other sites. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
} as const;

const utf8 = new TextEncoder();

/** The response to `method` with the headers that every answer carries. HEAD gets the headers of GET alone. */
export function toResponse(
  answer: Answer,
  how: { method: string; path: string; requestId: string },
): Response {
  const bytes = utf8.encode(answer.body);
  const headers: Record<string, string> = {
    ...ALWAYS,
    ...answer.headers,
    // Bun and Deno would say it by themselves, Node would not.
    "content-length": String(bytes.length),
    "x-request-id": how.requestId,
  };
  if (how.path.startsWith("/v1/")) headers["cache-control"] = "no-store, private";
  return new Response(how.method === "HEAD" ? null : bytes, { status: answer.status, headers });
}
