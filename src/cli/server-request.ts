import { setTimeout as sleep } from "node:timers/promises";
import { uuid } from "../contract/primitives.ts";
import { CommandFailure, helpLine } from "./failure.ts";
import { credentialFor } from "./open.ts";

/** A running server that a command calls, with a credential for it. */
export interface Destination {
  /** Its address, such as http://127.0.0.1:8787. */
  readonly url: string;
  readonly key: string;
  /** Id of the team to write to; null for the key's owner. */
  readonly teamId: string | null;
}

export class ServerRefusal extends CommandFailure {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const ATTEMPTS = 8;
/** Fewer attempts, since a server that does not answer at all is unlikely to be just busy. */
const ATTEMPTS_UNANSWERED = 3;
const WITHIN_MS = 120_000;

/** Reads --server and RECOLLECT_API_KEY. Calls `refuse` if one of them cannot be used. */
export function destinationOf(
  server: string,
  team: string | undefined,
  refuse: (text: string) => never,
): Destination {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse("error: --server must be a URL such as http://127.0.0.1:8787");
  if (team !== undefined && !uuid.safeParse(team).success)
    return refuse("error: with --server, --team must be the team's id");
  const key = credentialFor("RECOLLECT_API_KEY") ?? "";
  if (key === "") return refuse("error: --server needs an API key: set RECOLLECT_API_KEY");
  return { url: `${url.origin}${url.pathname.replace(/\/$/, "")}`, key, teamId: team ?? null };
}

/**
 * Sends a request: POST if it has a body, otherwise GET. Retries with pauses if the server is busy or temporarily
 * unreachable, so the request must be safe to repeat. `ServerRefusal` if the server refuses it.
 */
export async function request(
  to: Pick<Destination, "url" | "key">,
  path: string,
  { body, headers }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${to.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      redirect: "error",
      signal: AbortSignal.timeout(WITHIN_MS),
      headers: {
        authorization: `Bearer ${to.key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (response?.ok) return response.json();
    const isBusy = response === null || response.status === 429 || response.status === 503;
    if (!isBusy || attempt >= (response ? ATTEMPTS : ATTEMPTS_UNANSWERED))
      throw await failureOf(to.url, response);
    const asked = Number(response?.headers.get("retry-after"));
    await sleep(asked > 0 ? Math.min(asked, 120) * 1000 : 250 * 2 ** attempt);
  }
}

async function failureOf(url: string, response: Response | null): Promise<CommandFailure> {
  if (response === null)
    return new CommandFailure(
      `The server at ${url} cannot be reached. Check --server and that the server is running.`,
    );
  const answer = (await response.json().catch(() => null)) as {
    code?: unknown;
    detail?: unknown;
    hint?: unknown;
  } | null;
  const code = typeof answer?.code === "string" ? answer.code : "no code";
  const said = answer?.hint ?? answer?.detail;
  const detail = typeof said === "string" ? `: ${said}` : "";
  const answered = `The server at ${url} answered ${response.status} (${code})${detail}`;
  return new ServerRefusal(`${answered.replace(/\.$/, "")}.${helpLine(url, code)}`, response.status);
}
