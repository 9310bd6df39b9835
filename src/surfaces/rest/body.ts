import { DomainError, invalid } from "../../core/error.ts";
import { parseExactJson } from "../../core/exact-json.ts";
import { readBytes } from "../http/body.ts";
import { isJson } from "../http/media-type.ts";

/** Deeper than any body the contract allows, and far from what a parser's stack can take. */
const NESTING_MAX = 128;

/**
 * The members of a request's JSON body; none where there is no body, so that the schema says what is missing.
 * `payload_too_large`, `unsupported_media_type`, or `validation_failed` at `["body"]`, the same on every runtime.
 */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  requireJson(request.headers);
  return asObject(parsed(bytes));
}

/** The same of a body that nobody asked for: whatever it is, it is no reason to refuse the request. */
export async function readUnwanted(request: Request): Promise<Record<string, unknown>> {
  if (request.body === null) return {};
  try {
    return await readBody(request);
  } catch (error) {
    if (error instanceof DomainError) return {};
    throw error;
  }
}

function requireJson(headers: Headers): void {
  const type = headers.get("content-type");
  // Without a type it is taken for what this service always means.
  if (type !== null && !isJson(type)) {
    throw new DomainError(
      "unsupported_media_type",
      "Send the body as Content-Type: application/json, in UTF-8.",
    );
  }
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new DomainError("unsupported_media_type", "Send the body without Content-Encoding.");
  }
}

function parsed(bytes: Uint8Array): unknown {
  if (nesting(bytes) > NESTING_MAX) {
    throw invalid(["body"], `must not be nested deeper than ${NESTING_MAX} levels`, "json_invalid");
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid(["body"], "must be UTF-8", "json_invalid");
  }
  return parseExactJson(text, ["body"]);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/** How deep arrays and objects are nested, counted before parsing: a parser may recurse, this does not. */
function nesting(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (isOpening(byte)) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (isClosing(byte)) depth -= 1;
  }
  return deepest;
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalid(["body"], "must be a JSON object", "invalid_type");
}
