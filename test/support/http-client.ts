import type { Answer, Client } from "./world.ts";

/** A client with any key, valid or not. Rejects where the connection breaks. */
export type HttpClient = Omit<Client, "tokenId" | "ownerId">;

/** A client of a server in another process. */
export function httpClient(url: string, token: string): HttpClient {
  return clientOf(url, token, (request) => fetch(request));
}

/** A client whose requests are carried by `exchange`. */
export function clientOf(
  url: string,
  token: string,
  exchange: (request: Request) => Promise<Response>,
): HttpClient {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const given = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const init = { method, headers: { "x-api-key": token, ...type, ...headers }, ...given };
    const response = await exchange(new Request(url + path, init));
    const text = await response.text();
    // Lines of JSON are text: each is a document of its own.
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    token,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    patch: (path, body, headers) => send("PATCH", path, body, headers),
    delete: (path, headers) => send("DELETE", path, undefined, headers),
  };
}
