import { acceptsType, preferenceFor } from "../http/media-type.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
const BOTH = `${JSON_TYPE}, ${STREAM_TYPE}`;

/**
 * True if the answer should be JSON: the request accepts JSON and does not name event streams. The protocol requires
 * clients to name both, but many send a wildcard, JSON alone, or no header.
 */
export function wantsJson({ headers }: Request): boolean {
  const accept = headers.get("accept");
  return preferenceFor(accept, STREAM_TYPE) === 0 && acceptsType(accept, JSON_TYPE);
}

/** Returns the same request with both types in `Accept`, since the SDK refuses any other. */
export function namingBothTypes({ url, method, headers: sent, signal, body, bodyUsed }: Request): Request {
  const headers = new Headers(sent);
  headers.set("accept", BOTH);
  const unread = body === null || bodyUsed ? {} : { body, duplex: "half" as const };
  return new Request(url, { method, headers, signal, ...unread });
}

/**
 * Converts an answer to JSON: from an event stream it takes the message that answers the request, or all of them for a
 * batch.
 */
export async function asJson(answer: Response): Promise<Response> {
  if (!answer.headers.get("content-type")?.startsWith(STREAM_TYPE)) return answer;
  const answers = (await answer.text())
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length).trim())
    .filter((data) => data !== "" && isAnswer(JSON.parse(data)));
  const headers = new Headers(answer.headers);
  headers.set("content-type", JSON_TYPE);
  for (const ofStreams of ["connection", "x-accel-buffering"]) headers.delete(ofStreams);
  return new Response(answers.length === 1 ? answers[0] : `[${answers.join(",")}]`, {
    status: answer.status,
    headers,
  });
}

/** False for messages that precede an answer, such as progress. */
function isAnswer(message: object): boolean {
  return "result" in message || "error" in message;
}
