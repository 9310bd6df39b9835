import type { Owner } from "../../src/core/access/credential.ts";
import { unguessable } from "./acting.ts";
import type { World } from "./world.ts";

/** What a page of the service sends. */
export const PAGE_HEADERS = { "content-type": "application/json", origin: "http://localhost" };

export interface TrpcReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

/** Calls a procedure as the admin UI does: by POST, with the cookie of a session. */
export async function askTrpc(
  world: Pick<World, "handle">,
  cookie: string | null,
  path: string,
  input: unknown,
  headers: Readonly<Record<string, string>> = PAGE_HEADERS,
): Promise<TrpcReply> {
  const response = await world.handle(
    new Request(`http://localhost/trpc/${path}`, {
      method: "POST",
      headers: { ...headers, ...(cookie === null ? {} : { cookie }) },
      body: typeof input === "string" ? input : JSON.stringify(input),
    }),
  );
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? null : JSON.parse(text),
    text,
    headers: response.headers,
  };
}

/** The cookie of a session of the user, whose account it makes. */
export async function sessionOf({ service }: Pick<World, "service">, owner: Owner): Promise<string> {
  const { secret } = await service.accounts.invite(owner);
  const account = { email: `${unguessable("p")}@example.com`, password: "correct horse battery staple" };
  const outcome = await service.accounts.accept(secret, { headers: new Headers(), address: null }, account);
  if ("refused" in outcome) throw new Error(`no account was made: ${outcome.refused}`);
  return outcome.cookies.map((line) => line.split(";")[0]).join("; ");
}
