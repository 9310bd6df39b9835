/** Who may decide what, and what the pages say where the answer is no. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { unguessable } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { newPerson, registered } from "./support/people.ts";
import { createVisitor, type Visitor } from "./support/visitor.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

const visitor = () => createVisitor("http://localhost", world.handle);
const headingOf = (html: string) => /<h1>([^<]*)/.exec(html)?.[1];

function decide(
  person: Visitor,
  what: "approve" | "deny",
  fields: Record<string, string | readonly string[]>,
) {
  return person.submit("/account", `/bind/${what}`, fields);
}

test("what one person has approved, another can neither approve nor deny nor revoke nor see", async () => {
  const [ada, bob] = [visitor(), visitor()];
  await newPerson(world, ada);
  await newPerson(world, bob);
  const { claim_code: code, agent_id: id } = await registered(world.handle, { client_name: "Ada's" });
  expect((await decide(ada, "approve", { code, scope: "memory:read" })).status).toBe(200);
  for (const what of ["approve", "deny"] as const) {
    const answer = await decide(bob, what, { code, scope: "memory:read" });
    expect([answer.status, headingOf(answer.html)]).toEqual([409, "Somebody else has approved this agent"]);
  }
  expect((await bob.submit("/account", "/account/agents/revoke", { id })).status).toBe(404);
  expect((await bob.get("/account")).html).toContain("No agent is connected.");
  expect((await ada.get("/account")).html).toContain("Waiting for its confirmation token");
  expect((await ada.submit("/account", "/account/agents/revoke", { id })).location).toBe(
    "/account?done=agent",
  );
});

test("in a team a person gives no more than its own role, and in a team of others nothing", async () => {
  const [owner, viewer, stranger] = [visitor(), visitor(), visitor()];
  const people = [await newPerson(world, owner), await newPerson(world, viewer)] as const;
  await newPerson(world, stranger);
  const { team } = await world.service.teams.create(unguessable("team-"), people[0].owner);
  await world.service.teams.setRole(team.id, people[1].owner.id, "viewer");
  const { claim_code: code } = await registered(world.handle);

  const foreign = await decide(stranger, "approve", { code, scope: "memory:read", team: team.id });
  expect([foreign.status, foreign.html.includes("You are not a member of that team.")]).toEqual([422, true]);
  expect(foreign.html).not.toContain(team.name);

  const asked = { code, scope: ["memory:read", "memory:write"], team: team.id };
  const refused = await decide(viewer, "approve", asked);
  expect([
    refused.status,
    refused.html.includes("Your role in that team does not allow all of this."),
  ]).toEqual([403, true]);
  expect(refused.html).toMatch(new RegExp(`name="team" value="${team.id}" checked`));
  const granted = await decide(viewer, "approve", { ...asked, scope: "memory:read" });
  expect(headingOf(granted.html)).toBe("One more step");
  expect((await viewer.get("/account")).html).toContain(
    `Only in the team <bdi class="said">${team.name}</bdi>.`,
  );
});

test("scopes that there are not, and those of nobody's asking, are not granted", async () => {
  const person = visitor();
  await newPerson(world, person);
  const { claim_code: code, agent_id } = await registered(world.handle);
  const none = await decide(person, "approve", {
    code,
    scope: ["*", "admin", "memory:everything", "__proto__"],
  });
  expect([none.status, none.html.includes("Choose at least one thing")]).toEqual([422, true]);
  const scope = ["*", "memory:delete", "constructor", "memory:read", "memory:read"];
  expect((await decide(person, "approve", { code, scope })).status).toBe(200);
  const account = await world.service.agentClaims.list(null);
  expect(account.find(({ agentId }) => agentId === agent_id)?.scopes).toEqual([
    "memory:read",
    "memory:delete",
  ]);
});

test("approving again shows a new token, and the earlier one is of no more use", async () => {
  const person = visitor();
  await newPerson(world, person);
  const agent = await registered(world.handle);
  const tokens: string[] = [];
  for (let times = 0; times < 2; times += 1) {
    const { html } = await decide(person, "approve", { code: agent.claim_code, scope: "memory:read" });
    tokens.push(/id="confirmation_token"[^>]*value="([^"]+)"/.exec(html)?.[1] ?? "");
    await person.get(`/bind?code=${agent.claim_code}`);
    expect((await person.get("/bind")).html).toContain("This agent was approved before");
  }
  const client = world.withToken(agent.temporary_token);
  const confirm = (token: string | undefined) =>
    client.post("/v1/agents/bind/confirm-current-user", { confirmation_token: token });
  expect(new Set(tokens).size).toBe(2);
  expect((await confirm(tokens[0])).status).not.toBe(200);
  expect(await confirm(tokens[1])).toMatchObject({
    status: 200,
    body: { status: "bound", scopes: ["memory:read"] },
  });
  const late = await decide(person, "approve", { code: agent.claim_code, scope: "memory:read" });
  expect([late.status, headingOf(late.html)]).toEqual([404, "No agent is waiting under this code"]);
});

test("an invitation to a team is accepted or declined, and a team is left, on pages without a script", async () => {
  const [owner, guest] = [visitor(), visitor()];
  const people = [await newPerson(world, owner), await newPerson(world, guest)] as const;
  const { teams } = world.service;
  const { team } = await teams.create(unguessable("team-"), people[0].owner);
  const invite = () =>
    teams.invite(team.id, { userName: people[1].owner.name, role: "member", invitedBy: people[0].owner.id });
  const answered = (what: string, who = guest) =>
    who.submit("/account", `/account/teams/${what}`, { team: team.id });
  expect((await answered("accept")).status).toBe(404);
  await invite();
  const { html } = await guest.get("/account");
  expect([html.includes(team.name), html.includes("invited as member")]).toEqual([true, true]);
  expect((await owner.get("/account")).html).not.toContain("invited as");
  // Nobody answers for another.
  expect((await answered("accept", owner)).status).toBe(404);
  expect((await answered("decline")).location).toBe("/account?done=declined");
  expect(await teams.teamsOf(people[1].owner.id)).toEqual([]);
  await world.service.sql`update team_invitations set declined_at = null`;
  expect((await answered("accept")).location).toBe("/account?done=joined");
  expect(await teams.teamsOf(people[1].owner.id)).toMatchObject([{ role: "member" }]);

  const leave = `/account/teams/leave?team=${team.id}`;
  expect((await owner.get(leave)).html).toContain(people[1].owner.name);
  const handOver = { team: team.id, outcome: "hands_over", successor: people[1].owner.id };
  expect((await owner.submit(leave, "/account/teams/leave", { ...handOver, successor: "" })).status).toBe(
    409,
  );
  expect((await owner.submit(leave, "/account/teams/leave", handOver)).location).toBe("/account?done=left");
  expect(await teams.members(team.id)).toMatchObject([{ user: { id: people[1].owner.id }, role: "owner" }]);
  expect((await guest.get(leave)).html).toContain("the team is closed");
  const close = { team: team.id, outcome: "closes", successor: "" };
  expect((await guest.submit(leave, "/account/teams/leave", close)).location).toBe("/account?done=left");
  expect((await guest.get(leave)).status).toBe(404);
});
