import { freePort } from "../support/free-port.ts";
import { countsOf } from "./mcp.ts";
import { invitedPerson, type Person } from "./person.ts";
import { start } from "./run.ts";
import type { Server } from "./server.ts";
import type { Outcome } from "./suite.ts";

const WITHIN_MS = 6 * 60_000;

/** Runs what MCP requires of authorization servers; a person with an account does what needs a browser. */
export async function authorizationServer(program: readonly string[], server: Server): Promise<Outcome> {
  const person = await invitedPerson(server, "conformance");
  const port = await freePort();
  const clientId = await registeredClient(server, `http://127.0.0.1:${port}/callback`);
  const suite = ["authorization", "--url", server.url, "--client-id", clientId];
  let visit: Promise<string | null> | null = null;
  const { code, output } = await start(
    [...program, ...suite, "--resource", `${server.url}/mcp`, "-p", String(port)],
    {
      withinMs: WITHIN_MS,
      onOutput: (soFar) => {
        // The suite prints the address that its user is to open, on a line of its own.
        const address = /^(\S+[?]response_type=code&\S+)\n/m.exec(soFar)?.[1];
        if (address !== undefined) visit ??= problemOf(person, address);
      },
    },
  ).ran;
  const problem = await visit;
  return {
    passed: code === 0 && problem === null,
    counts: countsOf(output),
    output: problem === null ? output : `${output}\n${problem}`,
  };
}

/** What went wrong for the person, or null. */
function problemOf(person: Person, address: string): Promise<string | null> {
  return person.authorize(address).then(
    () => null,
    (error: unknown) => String(error),
  );
}

/** A client that registers itself, as MCP clients do. */
async function registeredClient({ url }: Server, redirectUri: string): Promise<string> {
  const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
  const { registration_endpoint } = (await metadata.json()) as { registration_endpoint: string };
  const answer = await fetch(registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Conformance suite",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
    }),
  });
  if (!answer.ok)
    throw new Error(`The registration was answered with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { client_id: string }).client_id;
}
