import { freshOwner, unguessable } from "../../support/acting.ts";
import type { World } from "../../support/world.ts";
import type { Visitor } from "./visitor.ts";

/** Somebody with an account. */
export interface Person {
  readonly owner: { readonly id: string; readonly kind: "user"; readonly name: string };
  readonly email: string;
  readonly password: string;
}

export const PASSWORD = "correct horse battery staple";

/** An invitation of a user, as whoever runs the service would send it. */
export async function invitation({ service }: World, name = freshOwner()) {
  const owner = await service.credentials.ensureOwner("user", name);
  const { secret } = await service.accounts.invite(owner);
  return { owner: { ...owner, kind: "user" as const }, secret };
}

/** An account that its person made on the setup page, signed in on that visitor. */
export async function newPerson(world: World, visitor: Visitor, name?: string): Promise<Person> {
  const { owner, secret } = await invitation(world, name);
  const email = `${unguessable("p")}@example.com`;
  await visitor.get(`/setup?code=${secret}`);
  const answer = await visitor.submit("/setup", "/setup", { code: secret, email, password: PASSWORD });
  if (answer.location !== "/admin") throw new Error(`the account was not made: ${answer.status}`);
  return { owner, email, password: PASSWORD };
}

/** What an agent is told when it registers. */
export interface Registered {
  readonly agent_id: string;
  readonly claim_code: string;
  readonly bind_url: string;
  readonly temporary_token: string;
}

/** An agent that registers as agents do. */
export async function registered(
  handle: World["handle"],
  given: Record<string, unknown> = {},
): Promise<Registered> {
  const body = {
    entry_type: "mcp",
    client_name: "Apollo's coder",
    client_version: "1.4.0",
    runtime: "node 22",
    installation_fingerprint: unguessable("laptop-"),
    ...given,
  };
  const response = await handle(
    new Request("http://localhost/v1/agents/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  if (response.status !== 200) throw new Error(`not registered: ${response.status} ${await response.text()}`);
  return (await response.json()) as Registered;
}
