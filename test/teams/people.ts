import type { Owner } from "../../src/core/access/credential.ts";
import { unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import type { Client, World } from "../support/world.ts";

/** Somebody with an account, a session and a key of their own. */
export interface Person {
  readonly owner: Owner;
  readonly cookie: string;
  readonly client: Client;
  /** The code of a refusal, or `done`, with what was answered. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  ask(path: string, input?: object): Promise<{ code: string; message: string; data: any; text: string }>;
}

export async function person(world: World): Promise<Person> {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  const cookie = await sessionOf(world, owner);
  return {
    owner,
    cookie,
    client: await world.client({ owner: owner.name }),
    async ask(path, input = {}) {
      const { body, text } = await askTrpc(world, cookie, `${path}`, input);
      const { error, result } = body;
      return { code: error?.data.code ?? "done", message: error?.message ?? "", data: result?.data, text };
    },
  };
}

/** A team that this person created. */
export async function teamOf(owner: Person): Promise<string> {
  return (await owner.ask("createTeam", { name: unguessable("team") })).data.team_id;
}

/** Makes the other a member as people do it: by an invitation that is accepted. */
export async function joined(owner: Person, team_id: string, other: Person, role: string): Promise<void> {
  await owner.ask("addMember", { team_id, user_name: other.owner.name, role });
  const { code } = await other.ask("acceptInvitation", { team_id });
  if (code !== "done") throw new Error(`not joined: ${code}`);
}
