import type { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { DomainError } from "../../core/error.ts";
import { preferenceFor } from "./media-type.ts";
import type { Answer, RequestContext } from "./pipeline.ts";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  md: "text/markdown; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** Refuses parent folders, hidden files and names without an extension. */
const NAME =
  /^(?:[A-Za-z0-9_@-]+(?:\.[A-Za-z0-9_@-]+)*\/)*[A-Za-z0-9_@-]+(?:\.[A-Za-z0-9_@-]+)*\.([a-z0-9]+)$/;

const A_YEAR_IN_SECONDS = 31_536_000;

/** True if a path names a file. Files have a dot in their last segment, pages do not. */
export function namesFile(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1).includes(".");
}

/**
 * Serves a file of a build, in the compressed form made at build time if the browser accepts it. If only the compressed
 * file exists, it is decompressed for other browsers. `isNamedByContent`: the name changes with the content, so the
 * file can be cached. Rejects with `not_found` if there is no such file of a known type.
 */
export async function builtFile(
  folder: string,
  name: string,
  request: Request,
  { isNamedByContent = false }: { isNamedByContent?: boolean } = {},
): Promise<Response> {
  const type = TYPES[NAME.exec(name)?.[1] ?? ""];
  if (type === undefined) throw nothingHere();
  const path = `${folder}/${name}`;
  const takesGzip = preferenceFor(request.headers.get("accept-encoding"), "gzip") > 0;
  const compressed = takesGzip ? await contentOf(`${path}.gz`) : null;
  const content = compressed ?? (await contentOf(path)) ?? opened(await contentOf(`${path}.gz`));
  if (content === null) throw nothingHere();
  return new Response(new Uint8Array(content), {
    headers: {
      "content-type": type,
      "content-length": String(content.length),
      vary: "Accept-Encoding",
      "cache-control": isNamedByContent ? `public, max-age=${A_YEAR_IN_SECONDS}, immutable` : "no-cache",
      ...(compressed ? { "content-encoding": "gzip" } : {}),
    },
  });
}

const opened = (compressed: Buffer | null) => compressed && gunzipSync(compressed);

/** Returns the content of a file; null if there is none. */
export async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return null;
    throw error;
  }
}

/** Refuses every method but GET and HEAD. */
export function forReading(handle: (context: RequestContext) => Promise<Answer | Response>) {
  return (context: RequestContext) => {
    if (["GET", "HEAD"].includes(context.request.method)) return handle(context);
    throw new DomainError("method_not_allowed", "Use GET or HEAD here.");
  };
}

function nothingHere(): DomainError {
  return new DomainError("not_found", "There is no such file.");
}
