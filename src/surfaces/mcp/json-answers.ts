import { preferenceFor, takesType } from "../http/media-type.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
const BOTH = `${JSON_TYPE}, ${STREAM_TYPE}`;

/**
 * True if the request is to be answered with JSON: it takes JSON and does not name event streams. The protocol asks
 * clients to name both, and many send a wildcard, JSON alone, or no header.
 */
export function wantsJson({ headers }: Request): boolean {
  const accept = headers.get("accept");
  return preferenceFor(accept, STREAM_TYPE) === 0 && takesType(accept, JSON_TYPE);
}

/** The same request as the protocol's implementation takes it, which refuses all that do not name both types. */
export function namingBothTypes({ url, method, headers: sent, signal, body, bodyUsed }: Request): Request {
  const headers = new Headers(sent);
  headers.set("accept", BOTH);
  const unread = body === null || bodyUsed ? {} : { body, duplex: "half" as const };
  return new Request(url, { method, headers, signal, ...unread });
}

/** An answer as JSON: of an event stream, the one message that answers the request, or all of them for a batch. */
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

/** False for what is sent before an answer: progress. */
function isAnswer(message: object): boolean {
  return "result" in message || "error" in message;
}
