/** Agents and credentials at the tRPC door: who may do what, and where a secret is shown. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Owner } from "../../src/core/access/credential.ts";
import { bind, confirm, introduction, register } from "../agents/agents.ts";
import { unguessable } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Person {
  readonly owner: Owner;
  ask(path: string, input?: object): Promise<{ code: string; data: Record<string, unknown>; text: string }>;
}

async function person(): Promise<Person> {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  const cookie = await sessionOf(world, owner);
  return {
    owner,
    async ask(path, input = {}) {
      const { body, text } = await askTrpc(world, cookie, `${path}`, input);
      return { code: body.error?.data.code ?? "done", data: body.result?.data ?? {}, text };
    },
  };
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly name: string | null;
  readonly state: string;
}

async function credentialsOf(who: Person, input: object = {}): Promise<Listed[]> {
  return (await who.ask("listCredentials", input)).data.credentials as Listed[];
}

const key = { kind: "api_key", name: "laptop", scopes: ["memory:read", "memory:write"] };

test("a key of one's own is made, shown once, replaced and ended; what it may do is what was chosen", async () => {
  const ada = await person();
  const made = await ada.ask("createCredential", {
    ...key,
    scopes: ["memory:read"],
    projects: ["apollo"],
    expires_in_days: 30,
  });
  const token = made.data.token as string;
  const client = world.withToken(token);
  expect((await client.get("/v1/memories")).status).toBe(200);
  expect((await client.post("/v1/remember", { content: "x", path: "notes" })).status).toBe(403);
  const listed = await ada.ask("listCredentials");
  expect(listed.text).not.toContain(token);
  expect((listed.data.credentials as Listed[]).map(({ kind }) => kind).sort()).toEqual([
    "api_key",
    "session",
  ]);
  const rotated = await ada.ask("rotateCredential", { credential_id: made.data.id, overlap_seconds: 0 });
  expect((await client.get("/v1/memories")).status).toBe(401);
  const next = world.withToken(rotated.data.token as string);
  expect((await next.get("/v1/memories")).status).toBe(200);
  expect((await ada.ask("revokeCredential", { credential_id: rotated.data.id })).code).toBe("done");
  expect((await next.get("/v1/memories")).status).toBe(401);
  expect((await credentialsOf(ada)).map(({ state }) => state).sort()).toEqual([
    "expired",
    "revoked",
    "valid",
  ]);
});

test("nobody makes what lasts longer, or may do more, than a person in a browser may give", async () => {
  const ada = await person();
  const fields = async (input: object) => (await ada.ask("createCredential", { ...key, ...input })).code;
  expect(await fields({ scopes: ["owner:erase"] })).toBe("validation_failed");
  expect(await fields({ scopes: [] })).toBe("validation_failed");
  expect(await fields({ kind: "session" })).toBe("validation_failed");
  expect(await fields({ kind: "skill", expires_in_days: 91 })).toBe("validation_failed");
  expect(await fields({ kind: "skill", expires_in_days: 90 })).toBe("done");
  expect(await fields({ is_teams: true })).toBe("validation_failed");
  const { credential } = await world.service.credentials.issue({
    kind: "api_key",
    ownerId: ada.owner.id,
    name: "eraser",
    scopes: ["owner:erase"],
    space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
    expiresAt: null,
  });
  expect((await ada.ask("rotateCredential", { credential_id: credential.tokenId })).code).toBe("conflict");
  expect((await ada.ask("revokeCredential", { credential_id: credential.tokenId })).code).toBe("done");
});

test("a team's own keys are its admins' and owners'; a member and a viewer have keys of their own for it; strangers see nothing", async () => {
  const { teams } = world.service;
  const [owner, admin, member, viewer, outsider] = await Promise.all(Array.from({ length: 5 }, person));
  if (!owner || !admin || !member || !viewer || !outsider) throw new Error("somebody is missing");
  const { team } = await teams.create(unguessable("team"), owner.owner);
  for (const [who, role] of [
    [admin, "admin"],
    [member, "member"],
    [viewer, "viewer"],
  ] as const)
    await teams.add(team.id, who.owner.id, role);
  const ofTeam = { ...key, team_id: team.id, is_teams: true };
  const made = await owner.ask("createCredential", ofTeam);
  const credential_id = made.data.id;
  const outcomes = async (who: Person) => ({
    list: (await who.ask("listCredentials", { team_id: team.id })).code,
    create: (await who.ask("createCredential", ofTeam)).code,
    rotate: (await who.ask("rotateCredential", { credential_id, overlap_seconds: 60 })).code,
    ownForTeam: (await who.ask("createCredential", { ...key, team_id: team.id })).code,
  });
  const all = (code: string, ownForTeam = code) => ({ list: code, create: code, rotate: code, ownForTeam });
  expect(await outcomes(admin)).toEqual(all("done"));
  for (const who of [member, viewer]) expect(await outcomes(who)).toEqual(all("role_forbidden", "done"));
  expect(await outcomes(outsider)).toEqual(all("not_found"));
  for (const [who, code] of [
    [outsider, "not_found"],
    [viewer, "role_forbidden"],
    [member, "role_forbidden"],
    [admin, "done"],
  ] as const)
    expect([code, (await who.ask("revokeCredential", { credential_id })).code]).toEqual([code, code]);
  // What a viewer's key may not do is decided by the role, live.
  const [own] = (await credentialsOf(viewer)).filter(({ kind }) => kind === "api_key");
  for (const who of [owner, admin]) {
    expect((await who.ask("revokeCredential", { credential_id: own?.id })).code).toBe("not_found");
    expect((await who.ask("rotateCredential", { credential_id: own?.id })).code).toBe("not_found");
  }
  await teams.setRole(team.id, admin.owner.id, "viewer");
  expect((await admin.ask("listCredentials", { team_id: team.id })).code).toBe("role_forbidden");
});

test("an agent that waits is looked at, approved, bound and ended by its person alone", async () => {
  const [ada, eve] = [await person(), await person()];
  const agent = await register(world, { client_name: "Coder" });
  await agent.client.post("/v1/remember", { content: "Deploys go out on Tuesdays", path: "notes" });
  const approval = { code: agent.code, scopes: ["memory:read", "memory:write"] };
  expect((await ada.ask("reviewAgent", { ...approval, code: "0000-0000-0000" })).code).toBe("not_found");
  const review = await ada.ask("reviewAgent", approval);
  expect(review.data).toMatchObject({
    client_name: introduction().client_name,
    groups: [{ words: "1 memory", moves: true }],
    texts: [{ beginning: "Deploys go out on Tuesdays" }],
  });
  const narrower = await ada.ask("reviewAgent", { ...approval, scopes: ["memory:read"] });
  expect(narrower.data.groups).toMatchObject([{ moves: false }]);
  expect((await ada.ask("approveAgent", { ...approval, seen: narrower.data.seen })).code).toBe(
    "precondition_failed",
  );
  expect((await ada.ask("approveAgent", { ...approval, scopes: ["owner:erase"] })).code).toBe(
    "validation_failed",
  );
  const approved = await ada.ask("approveAgent", { ...approval, seen: review.data.seen });
  for (const path of ["reviewAgent", "approveAgent"])
    expect([path, (await eve.ask(path, approval)).code]).toEqual([path, "conflict"]);
  expect((await eve.ask("denyAgent", { code: agent.code })).code).toBe("conflict");
  expect((await confirm(agent, approved.data.confirmation_token as string)).status).toBe(200);
  expect((await ada.ask("listAgents")).data.agents).toMatchObject([{ status: "bound", trust_level: 2 }]);
  expect((await eve.ask("listAgents")).data.agents).toEqual([]);
  expect((await eve.ask("revokeAgent", { agent_id: agent.id })).code).toBe("not_found");
  expect((await ada.ask("revokeAgent", { agent_id: agent.id })).code).toBe("done");
  expect((await ada.ask("listAgents")).data.agents).toMatchObject([{ status: "revoked", trust_level: 0 }]);
});

test("a refused agent is gone, and revoking an agent's token ends the agent", async () => {
  const [ada, eve] = [await person(), await person()];
  const refused = await register(world);
  expect((await ada.ask("denyAgent", { code: refused.code })).code).toBe("done");
  expect((await ada.ask("denyAgent", { code: refused.code })).code).toBe("not_found");
  const bound = await bind(world, await register(world), ada.owner);
  const skill = await bound.post("/v1/skill/tokens", { name: "expenses" });
  const listed = await credentialsOf(ada);
  const formal = listed.find(({ kind }) => kind === "agent_formal");
  expect(listed.map(({ kind }) => kind).sort()).toEqual(["agent_formal", "session", "skill"]);
  for (const one of listed)
    expect((await eve.ask("revokeCredential", { credential_id: one.id })).code).toBe("not_found");
  expect((await ada.ask("rotateCredential", { credential_id: formal?.id })).code).toBe("conflict");
  expect((await ada.ask("revokeCredential", { credential_id: formal?.id })).code).toBe("done");
  expect((await bound.get("/v1/memories")).status).toBe(401);
  expect((await world.withToken(skill.body.token).get("/v1/memories")).status).toBe(401);
});

test("a person ends their own user in two steps, a team as its owner, and nobody else's", async () => {
  const { teams, accounts } = world.service;
  const [ada, admin] = [await person(), await person()];
  const { team } = await teams.create(unguessable("team"), ada.owner);
  await teams.add(team.id, admin.owner.id, "admin");
  const ofTeam = { team_id: team.id };
  expect((await admin.ask("eraseOwner", ofTeam)).code).toBe("role_forbidden");
  expect((await (await person()).ask("eraseOwner", ofTeam)).code).toBe("not_found");
  // A team would be left without an owner.
  expect((await ada.ask("eraseOwner")).code).toBe("conflict");
  const plan = (await ada.ask("eraseOwner", ofTeam)).data;
  const step = { ...ofTeam, dry_run: false, plan_hash: plan.plan_hash };
  expect((await ada.ask("eraseOwner", step)).code).toBe("validation_failed");
  expect((await ada.ask("eraseOwner", { ...step, confirm: plan.name })).code).toBe("done");
  const own = (await ada.ask("eraseOwner")).data;
  const last = { dry_run: false, plan_hash: own.plan_hash, confirm: own.name };
  const erased = await ada.ask("eraseOwner", last);
  expect(erased.data).toMatchObject({ kind: "user", owner_id: ada.owner.id, is_repeat: false });
  expect((await ada.ask("session")).code).toBe("invalid_token");
  await expect(accounts.invite(ada.owner)).rejects.toThrow();
});
