/** Nobody joins a team unasked: what an invitation changes, what it tells, and how it ends. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { teamRoles } from "../../src/contract/scope.ts";
import { unguessable } from "../support/acting.ts";
import { RUNS } from "../support/random.ts";
import { openWorld, type World } from "../support/world.ts";
import { joined, type Person, person, teamOf } from "./people.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ TEAMS_PER_USER_MAX: "4", TEAMS_OWNED_MAX: "3", TEAM_INVITATIONS_MAX: "3" });
});
afterAll(() => world.close());

const PROJECT = "apollo";

/** Everything by which a person could notice a team, as one text without times. */
async function noticed({ client, ask }: Person, word: string): Promise<string> {
  const answers = await Promise.all([
    client.get("/v1/memories?limit=100"),
    client.get(`/v1/memories/search?query=${word}`),
    client.post("/v1/recall/context", { query: `What is ${word}?` }),
    client.get("/v1/events?limit=500"),
    client.post(`/v1/projects/${PROJECT}/context`, {}),
    client.get(`/v1/projects/${PROJECT}/todos`),
  ]);
  const operated = await Promise.all(
    (["session", "listProjects", "attention"] as const).map((path) => ask(path)),
  );
  const all = [...answers.map(({ body }) => body), ...operated.map(({ data }) => data)];
  return JSON.stringify(all).replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"|"next":"[^"]+"/g, "…");
}

async function teamWithWords(owner: Person) {
  const [team_id, word] = [await teamOf(owner), unguessable("w")];
  const answer = await owner.client.post("/v1/remember", {
    content: `The code word is ${word}.`,
    path: "facts",
    team_id,
    project_id: PROJECT,
  });
  return { team_id, word, id: answer.body.id as string };
}

test("an existing user is invited, and sees nothing of the team until they accept", async () => {
  const [owner, invited] = [await person(world), await person(world)];
  const { team_id, word, id } = await teamWithWords(owner);
  const before = await noticed(invited, word);
  expect(
    await owner.ask("addMember", { team_id, user_name: invited.owner.name, role: "member" }),
  ).toMatchObject({ code: "done", data: { change: "invited" } });
  expect(await noticed(invited, word)).toBe(before);
  expect((await invited.client.get(`/v1/memories/${id}`)).status).toBe(404);
  expect((await owner.ask("listMembers", { team_id })).data.members).toHaveLength(1);
  expect((await invited.ask("listInvitations")).data.invitations).toEqual([
    expect.objectContaining({ team_id, role: "member", invited_by: owner.owner.name }),
  ]);
  expect(await invited.ask("acceptInvitation", { team_id })).toMatchObject({
    code: "done",
    data: { team_id, role: "member" },
  });
  expect((await invited.client.get(`/v1/memories/${id}`)).status).toBe(200);
  expect(await noticed(invited, word)).toContain(word);
  expect((await invited.ask("listInvitations")).data.invitations).toEqual([]);
  expect((await invited.ask("acceptInvitation", { team_id })).code).toBe("not_found");
});

test("a webhook of the invited person hears of the team only after it is joined", async () => {
  const [owner, invited] = [await person(world), await person(world)];
  const { team_id, id } = await teamWithWords(owner);
  const { next } = (await invited.client.get("/v1/events?after=now")).body;
  await owner.ask("addMember", { team_id, user_name: invited.owner.name, role: "viewer" });
  await owner.client.patch(`/v1/memories/${id}`, { importance: 0.9 });
  const heard = async () => (await invited.client.get(`/v1/events?after=${next}`)).body.events.length;
  expect(await heard()).toBe(0);
  await invited.ask("acceptInvitation", { team_id });
  expect(await heard()).toBeGreaterThan(0);
});

test("nothing that the team is shown tells whether a name exists, nor that somebody declined", async () => {
  const roles = fc.constantFrom(...teamRoles);
  await fc.assert(
    fc.asyncProperty(roles, fc.boolean(), fc.boolean(), async (role, declines, isRenewed) => {
      const [owner, invited] = [await person(world), await person(world)];
      const seen = async (user_name: string) => {
        const team_id = await teamOf(owner);
        const answers = [await owner.ask("addMember", { team_id, user_name, role })];
        if (declines) await invited.ask("declineInvitation", { team_id });
        if (isRenewed) answers.push(await owner.ask("addMember", { team_id, user_name, role }));
        for (const path of ["listMembers", "listAudit"]) answers.push(await owner.ask(path, { team_id }));
        answers.push(await owner.ask("withdrawInvitation", { team_id, user_name }));
        answers.push(await owner.ask("withdrawInvitation", { team_id, user_name }));
        answers.push(await owner.ask("listMembers", { team_id }));
        await owner.ask("leaveTeam", { team_id, outcome: "closes" });
        return answers
          .map(({ text }) => text)
          .join("\n")
          .replaceAll(user_name, "NAME")
          .replaceAll(team_id, "TEAM")
          .replaceAll(
            /"\d{4}-\d\d-\d\dT[^"]+"|"(?:id|cursor|next_cursor)":"[\w-]+"|request_?id":"[^"]+"/gi,
            "…",
          );
      };
      expect(await seen(invited.owner.name)).toBe(await seen(unguessable("nobody")));
    }),
    { numRuns: Math.min(RUNS, 8) },
  );
}, 60_000);

test("an invitation to a name that nobody had is not the invitation of whoever gets the name", async () => {
  const owner = await person(world);
  const [team_id, user_name] = [await teamOf(owner), unguessable("later")];
  await owner.ask("addMember", { team_id, user_name, role: "member" });
  const later = await world.service.credentials.ensureOwner("user", user_name);
  expect(await world.service.teams.invitationsFor(later.id)).toEqual([]);
  expect(await world.service.teams.accept(team_id, later.id)).toBeNull();
});

test("whoever declines stays out, and is not asked again by that team", async () => {
  const [owner, invited] = [await person(world), await person(world)];
  const team_id = await teamOf(owner);
  const given = { team_id, user_name: invited.owner.name, role: "member" };
  await owner.ask("addMember", given);
  expect((await invited.ask("declineInvitation", { team_id })).code).toBe("done");
  for (const again of [
    () => owner.ask("addMember", given),
    async () => {
      await owner.ask("withdrawInvitation", given);
      return owner.ask("addMember", given);
    },
  ]) {
    expect((await again()).data).toEqual({ change: "invited" });
    expect((await invited.ask("listInvitations")).data.invitations).toEqual([]);
    expect((await invited.ask("acceptInvitation", { team_id })).code).toBe("not_found");
  }
  // After two weeks it may ask again.
  await world.service.sql`
    update team_invitations set declined_at = now() - interval '15 days' where team_id = ${team_id}`;
  await owner.ask("addMember", given);
  expect((await invited.ask("acceptInvitation", { team_id })).code).toBe("done");
});

test("an invitation ends when it is withdrawn, expires, or whoever made it may not make it any more", async () => {
  const [owner, admin, invited] = [await person(world), await person(world), await person(world)];
  const team_id = await teamOf(owner);
  await joined(owner, team_id, admin, "owner");
  const { teams, sql } = world.service;
  const isOpen = async () => (await teams.invitationsFor(invited.owner.id)).length === 1;
  const invite = async (role = "member") => {
    await admin.ask("addMember", { team_id, user_name: invited.owner.name, role });
    expect(await isOpen()).toBe(true);
  };
  const expectClosed = async () => {
    expect(await isOpen()).toBe(false);
    expect((await invited.ask("acceptInvitation", { team_id })).code).toBe("not_found");
    expect((await invited.ask("declineInvitation", { team_id })).code).toBe("not_found");
  };
  await invite();
  await owner.ask("withdrawInvitation", { team_id, user_name: invited.owner.name });
  await expectClosed();
  await invite();
  await sql`update team_invitations set expires_at = now() - interval '1 second'`;
  await expectClosed();
  await invite("owner");
  await owner.ask("setMemberRole", { team_id, user_id: admin.owner.id, role: "admin" });
  await expectClosed();
  await owner.ask("setMemberRole", { team_id, user_id: admin.owner.id, role: "owner" });
  await invite();
  await owner.ask("removeMember", { team_id, user_id: admin.owner.id });
  await expectClosed();
});

test("somebody new who sets up an account by a team's link has accepted by that", async () => {
  const owner = await person(world);
  const [team_id, user_name] = [await teamOf(owner), unguessable("new")];
  const { data } = await owner.ask("inviteMember", { team_id, user_name, role: "member" });
  const { accounts, teams } = world.service;
  const account = { email: `${user_name}@example.com`, password: "correct horse battery staple" };
  const outcome = await accounts.accept(data.setup_code, { headers: new Headers(), address: null }, account);
  if ("refused" in outcome) throw new Error(outcome.refused);
  expect(await teams.teamsOf(outcome.account.owner.id)).toMatchObject([
    { team: { id: team_id }, role: "member" },
  ]);
});

test("a team has so many open invitations, to users and to people who are new together, and names cost one each", async () => {
  const owner = await person(world);
  const team_id = await teamOf(owner);
  const invite = async (path: string, user_name = unguessable("name")) =>
    (await owner.ask(path, { team_id, user_name, role: "viewer" })).code;
  const first = unguessable("name");
  expect([await invite("addMember", first), await invite("inviteMember"), await invite("addMember")]).toEqual(
    ["done", "done", "done"],
  );
  for (const path of ["addMember", "inviteMember"]) expect(await invite(path)).toBe("quota_exceeded");
  // A name that is taken is not told from one that is free.
  expect(await invite("inviteMember", owner.owner.name)).toBe("quota_exceeded");
  // To renew one takes no more room.
  expect(await invite("addMember", first)).toBe("done");
  await owner.ask("withdrawInvitation", { team_id, user_name: first });
  expect(await invite("addMember")).toBe("done");
});

test("a user owns so many teams and is in so many, also when asked for all at once", async () => {
  const [maker, other] = [await person(world), await person(world)];
  const made = await Promise.all(
    Array.from({ length: 8 }, () => maker.ask("createTeam", { name: unguessable("team") })),
  );
  const codes = made.map(({ code }) => code).sort();
  expect(codes).toEqual([...Array(3).fill("done"), ...Array(5).fill("quota_exceeded")]);
  const hosts = await Promise.all(Array.from({ length: 3 }, () => person(world)));
  const teams = await Promise.all(hosts.flatMap((host) => [teamOf(host), teamOf(host)]));
  for (const [at, team_id] of teams.entries())
    await hosts[Math.floor(at / 2)]?.ask("addMember", {
      team_id,
      user_name: other.owner.name,
      role: "member",
    });
  const accepted = await Promise.all(teams.map((team_id) => other.ask("acceptInvitation", { team_id })));
  const outcomes = accepted.map(({ code }) => code).sort();
  expect(outcomes).toEqual([...Array(4).fill("done"), ...Array(2).fill("quota_exceeded")]);
  // Above a bound that was lowered everything goes on: only another one is refused.
  const { sql } = world.service;
  for (const team_id of teams)
    await sql`
      insert into team_members (team_id, user_id, role) values (${team_id}, ${other.owner.id}, 'member')
      on conflict do nothing`;
  const written = await other.client.post("/v1/remember", {
    content: "Still here",
    path: "p",
    team_id: teams[5],
  });
  expect(written.status).toBe(201);
  expect((await other.client.get("/v1/memories/search?query=still")).body.results).toHaveLength(1);
});

const step = fc.oneof(
  fc.record({ does: fc.constant("invite" as const), role: fc.constantFrom("viewer", "member", "admin") }),
  fc.record({ does: fc.constantFrom("accept", "decline", "withdraw", "leave") }),
);

test("in any order of steps, a person is in a team only by having accepted its last open invitation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const [owner, invited] = [await person(world), await person(world)];
      const team_id = await teamOf(owner);
      const user_name = invited.owner.name;
      let [role, invitation, hasDeclined]: [string | null, string | null, boolean] = [null, null, false];
      for (const one of steps) {
        if (one.does === "invite") {
          await owner.ask("addMember", { team_id, user_name, role: one.role });
          if (role === null && !hasDeclined) invitation = one.role;
        } else if (one.does === "accept") {
          await invited.ask("acceptInvitation", { team_id });
          role ??= invitation;
          invitation = null;
        } else if (one.does === "decline") {
          await invited.ask("declineInvitation", { team_id });
          hasDeclined ||= invitation !== null;
          invitation = null;
        } else if (one.does === "withdraw") {
          await owner.ask("withdrawInvitation", { team_id, user_name });
          invitation = null;
        } else {
          await invited.ask("leaveTeam", { team_id, outcome: "leaves" });
          role = null;
        }
        const teams = await world.service.teams.teamsOf(invited.owner.id);
        expect(teams[0]?.role ?? null).toBe(role);
      }
    }),
    { numRuns: Math.min(RUNS, 20) },
  );
}, 120_000);
