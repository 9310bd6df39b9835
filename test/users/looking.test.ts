/** A person in the admin UI reads in the space of an end user of an application that the person manages, and in no other. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ALL = { query: "marmot", limit: 200, max_items: 200 };

interface Answer {
  readonly code: string | null;
  readonly texts: readonly string[];
}

async function person() {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  const cookie = await sessionOf(world, owner);
  const ask = async (name: string, input: object): Promise<Answer> => {
    const { body } = await askTrpc(world, cookie, name, input);
    const data = body.result?.data;
    const found = (data?.memories ?? data?.hits ?? []) as { content: string }[];
    return { code: body.error?.data.code ?? null, texts: found.map(({ content }) => content).sort() };
  };
  return { owner, cookie, ask };
}

/** A team's application with two end users, and memories of its own. */
async function application() {
  const keeper = await person();
  const { team } = await world.service.teams.create(unguessable("shop"), keeper.owner);
  const key = await world.client({ team: team.name });
  const remember = async (content: string, user_id?: string) => {
    const { status, body } = await key.post("/v1/remember", { content, path: "notes", user_id });
    expect(status).toBe(201);
    return body.id as string;
  };
  const ofAda = await remember("Ada keeps a marmot", "ada");
  await remember("Bob keeps a marmot too", "bob");
  await remember("The shop sells marmot food");
  return { keeper, team, ofAda };
}

const inSpaceOf = (team: { id: string }, user_id = "ada") => ({ user_id, application: team.id });

describe("In the space of an end user of a team's application", () => {
  test("an owner and an admin see what is that end user's and nothing else, others are refused", async () => {
    const { keeper, team, ofAda } = await application();
    const others = { admin: await person(), member: await person(), viewer: await person() };
    for (const role of ["admin", "member", "viewer"] as const)
      await world.service.teams.add(team.id, others[role].owner.id, role);
    const stranger = await person();
    const asked = [
      ["listMemories", { limit: 200 }],
      ["labRecall", ALL],
    ] as const;
    for (const [name, input] of asked) {
      for (const one of [keeper, others.admin]) {
        const answer = await one.ask(name, { ...input, ...inSpaceOf(team) });
        expect([name, answer]).toEqual([name, { code: null, texts: ["Ada keeps a marmot"] }]);
        const unknown = await one.ask(name, { ...input, ...inSpaceOf(team, "nobody") });
        expect([name, unknown]).toEqual([name, { code: null, texts: [] }]);
        // Without the team it is the person's own application, which has no such end user.
        const own = await one.ask(name, { ...input, user_id: "ada" });
        expect([name, own]).toEqual([name, { code: null, texts: [] }]);
      }
      for (const one of [others.member, others.viewer])
        expect((await one.ask(name, { ...input, ...inSpaceOf(team) })).code).toBe("role_forbidden");
      expect((await stranger.ask(name, { ...input, ...inSpaceOf(team) })).code).toBe("not_found");
    }
    const why = { ...ALL, memory_id: ofAda };
    expect((await keeper.ask("labWhy", { ...why, ...inSpaceOf(team) })).code).toBe(null);
    expect((await keeper.ask("labWhy", { ...why, ...inSpaceOf(team, "bob") })).code).toBe("not_found");
    expect((await keeper.ask("labWhy", why)).code).toBe("not_found");
    expect((await others.member.ask("labWhy", { ...why, ...inSpaceOf(team) })).code).toBe("role_forbidden");
  });

  test("the application's own memories come if they are asked for, and looking makes no end user", async () => {
    const { keeper, team } = await application();
    const both = await keeper.ask("labRecall", { ...ALL, ...inSpaceOf(team), include_shared: true });
    expect(both.texts).toEqual(["Ada keeps a marmot", "The shop sells marmot food"]);
    await keeper.ask("labRecall", { ...ALL, ...inSpaceOf(team, "carol") });
    const { body } = await askTrpc(world, keeper.cookie, "getEndUser", {
      user_id: "carol",
      team_id: team.id,
    });
    expect(body.error?.data.code).toBe("not_found");
  });

  test("it is no activity of the end user", async () => {
    const { keeper, team } = await application();
    const { sql } = world.service;
    await sql`update owners set active_at = '2026-01-02T03:04:00Z' where application_id = ${team.id}`;
    await keeper.ask("listMemories", inSpaceOf(team));
    await keeper.ask("labRecall", { ...ALL, ...inSpaceOf(team) });
    const { body } = await askTrpc(world, keeper.cookie, "getEndUser", { user_id: "ada", team_id: team.id });
    expect(Date.parse(body.result.data.last_active)).toBe(Date.parse("2026-01-02T03:04:00Z"));
  });

  test("a credential or no end user beside it is refused", async () => {
    const { keeper, team } = await application();
    const as = crypto.randomUUID();
    expect((await keeper.ask("labRecall", { ...ALL, ...inSpaceOf(team), as })).code).toBe(
      "validation_failed",
    );
    expect((await keeper.ask("listMemories", { application: team.id })).code).toBe("validation_failed");
  });

  test("keys do not choose an application: theirs is the only one", async () => {
    const { team } = await application();
    const key = await world.client();
    const answer = await key.get(`/v1/memories?user_id=ada&application=${team.id}`);
    expect(answer.body.memories ?? []).toEqual([]);
  });
});

test("the audit log says who issued a token of an end user", async () => {
  const { keeper, team } = await application();
  const { cookie } = keeper;
  await askTrpc(world, cookie, "issueEndUserToken", { user_id: "ada", team_id: team.id, name: "phone" });
  const { body } = await askTrpc(world, cookie, "listAudit", { team_id: team.id, user_id: "ada" });
  const line = body.result.data.lines.find(
    ({ operation }: { operation: string }) => operation === "issue_credential",
  );
  expect(line).toMatchObject({ person: keeper.owner.name, user_id: "ada" });
});
