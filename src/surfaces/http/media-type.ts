import { DomainError } from "../../core/error.ts";

/** The media type of JSON Lines: a JSON value in each line. */
export const JSON_LINES = "application/jsonl";

/** A media type or range, in lower case, with its parameters. */
interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;

/** Reads one media type, such as `application/json; charset="utf-8"`. */
function readMediaType(header: string): MediaType {
  const parameters = new Map<string, string>();
  for (const [, name = "", value = ""] of header.matchAll(PARAMETER)) {
    parameters.set(
      name.toLowerCase(),
      value
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase(),
    );
  }
  return { type: (header.split(";", 1)[0] ?? "").trim().toLowerCase(), parameters };
}

/**
 * Throws `unsupported_media_type` unless the content type is JSON. Other origins' pages can send untyped, text and form
 * bodies without a CORS preflight, but not JSON.
 */
export function requireJsonType(headers: Headers): void {
  if (isJson(headers.get("content-type") ?? "")) return;
  throw new DomainError(
    "unsupported_media_type",
    "Send the body as JSON in UTF-8 and say so, as with curl's -H 'Content-Type: application/json'.",
  );
}

/** True for `application/json` and `…+json` in UTF-8, the only body types that this service reads. */
function isJson(header: string): boolean {
  const { type, parameters } = readMediaType(header);
  const charset = parameters.get("charset") ?? "utf-8";
  return (
    /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/.test(type) &&
    (charset === "utf-8" || charset === "utf8")
  );
}

/**
 * Returns the quality value that an `Accept` or `Accept-Encoding` header gives a type by name; 0 if the header does not
 * name the type, or names it with q=0. Wildcards are ignored, since they prefer no representation.
 */
export function preferenceFor(accept: string | null, type: string): number {
  const ranges = (accept ?? "").split(",").map(readMediaType);
  const named = ranges.filter((range) => range.type === type);
  return Math.max(0, ...named.map(({ parameters }) => quality(parameters.get("q"))));
}

function quality(q: string | undefined): number {
  if (q === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0;
}

/** True if an `Accept` header accepts a type, by name or wildcard. A missing header accepts every type. */
export function acceptsType(accept: string | null, type: string): boolean {
  if (accept === null || accept.trim() === "") return true;
  const ranges = accept.split(",").map(readMediaType);
  // The most specific range decides (RFC 9110, 12.5.1).
  for (const range of [type, `${type.split("/", 1)[0]}/*`, "*/*"]) {
    const named = ranges.filter((one) => one.type === range);
    if (named.length > 0) return named.some(({ parameters }) => quality(parameters.get("q")) > 0);
  }
  return false;
}
