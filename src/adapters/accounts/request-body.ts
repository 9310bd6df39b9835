/** No request of OAuth is larger. */
const BODY_BYTES_MAX = 64 * 1024;

/** The body as text; null where it is larger than any may be, or not UTF-8. */
export async function readText(request: Request): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The parameters of a form; null where the body is none, or a parameter that may be given once is repeated. */
export async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null;
  const text = await readText(request);
  if (text === null) return null;
  const form = new URLSearchParams(text);
  return isRepeating(form) ? null : form;
}

/** RFC 6749, section 3.1: a parameter is given once. A resource may be given more than once (RFC 8707). */
export function isRepeating(parameters: URLSearchParams): boolean {
  return [...parameters.keys()].some((name) => name !== "resource" && parameters.getAll(name).length > 1);
}
