/** The tRPC door: who may knock and how, batches, codes, and the use cases that only sessions have. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Owner } from "../../src/core/access/credential.ts";
import { unguessable } from "../support/acting.ts";
import { askTrpc, PAGE_HEADERS, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function person(): Promise<{ owner: Owner; cookie: string }> {
  const owner = await world.service.credentials.ensureOwner("user", unguessable("person"));
  return { owner, cookie: await sessionOf(world, owner) };
}

const codeOf = (reply: { body: { error?: { data: { code: string } } } }) =>
  reply.body.error?.data.code ?? null;

test("only a page of the service, as JSON, by POST, with a session is let in", async () => {
  const { cookie } = await person();
  const ask = (headers: Record<string, string>, given: string | null = cookie) =>
    askTrpc(world, given, "session", {}, headers);
  expect((await ask(PAGE_HEADERS)).status).toBe(200);
  expect(codeOf(await ask(PAGE_HEADERS, null))).toBe("invalid_token");
  expect(codeOf(await ask({ ...PAGE_HEADERS, origin: "https://evil.example" }))).toBe("origin_not_allowed");
  expect(codeOf(await ask({ "content-type": "application/json" }))).toBe("origin_not_allowed");
  expect(codeOf(await ask({ ...PAGE_HEADERS, "sec-fetch-site": "cross-site" }))).toBe("origin_not_allowed");
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
    expect(codeOf(await ask({ ...PAGE_HEADERS, "content-type": type }))).toBe("unsupported_media_type");
  const { token } = await world.client();
  expect(codeOf(await ask({ ...PAGE_HEADERS, "x-api-key": token }, null))).toBe("invalid_token");
  const get = await world.handle(
    new Request("http://localhost/trpc/session", { headers: { ...PAGE_HEADERS, cookie } }),
  );
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
});

test("a batch answers each call by itself, and one that is too long is refused as a whole", async () => {
  const { cookie } = await person();
  const mixed = await askTrpc(world, cookie, "session,getMemory?batch=1", {
    0: {},
    1: { memory_id: "absent" },
  });
  expect(mixed.status).toBe(207);
  expect(mixed.body[0].result.data.teams).toEqual([]);
  expect(mixed.body[1].error.data).toMatchObject({ code: "not_found", httpStatus: 404 });
  const many = await askTrpc(world, cookie, `${Array(11).fill("doctor").join(",")}?batch=1`, {});
  expect([many.status, codeOf(many)]).toEqual([413, "payload_too_large"]);
});

test("a refusal is a code and places, and repeats nothing of what was sent", async () => {
  const { cookie } = await person();
  const wrong = await askTrpc(world, cookie, "remember", { content: 7, path: "PRIVATE-WORDS/.." });
  expect([wrong.status, codeOf(wrong)]).toEqual([422, "validation_failed"]);
  expect(wrong.body.error.data.issues.map(({ loc }: { loc: string[] }) => loc.at(-1)).sort()).toEqual([
    "content",
    "path",
  ]);
  expect(wrong.text).not.toContain("PRIVATE-WORDS");
  expect(wrong.text).not.toContain("stack");
  expect(codeOf(await askTrpc(world, cookie, "nothing", {}))).toBe("not_found");
  expect(codeOf(await askTrpc(world, cookie, "remember", "{"))).toBe("validation_failed");
  expect((await askTrpc(world, cookie, "remember", " ".repeat(2 * 1024 * 1024))).status).toBe(413);
  expect(codeOf(await askTrpc(world, cookie, "listWebhooks", {}))).toBe("insufficient_scope");
});

test("revoking the account's credential ends its sessions, and one session can be ended from another", async () => {
  const { owner, cookie } = await person();
  const { body } = await askTrpc(world, cookie, "listSessions", {});
  const [session] = body.result.data.sessions;
  expect(session.is_current).toBe(true);
  const stranger = await person();
  const foreign = await askTrpc(world, stranger.cookie, "endSession", { session_id: session.id });
  expect(codeOf(foreign)).toBe("not_found");
  const credential = (await world.service.credentials.list()).find(
    (one) => one.owner.id === owner.id && one.kind === "session",
  );
  await world.service.credentials.revoke(credential?.tokenId ?? "");
  expect(codeOf(await askTrpc(world, cookie, "session", {}))).toBe("invalid_token");
});

test("who is in a team is decided by its admins, over owners by owners, and an invitation link is for new users only", async () => {
  const { teams } = world.service;
  const [owner, admin, member, viewer, outsider] = await Promise.all(Array.from({ length: 5 }, person));
  if (!owner || !admin || !member || !viewer || !outsider) throw new Error("somebody is missing");
  const made = await askTrpc(world, owner.cookie, "createTeam", { name: unguessable("team") });
  const { team_id } = made.body.result.data;
  await teams.add(team_id, admin.owner.id, "admin");
  await teams.add(team_id, member.owner.id, "member");
  await teams.add(team_id, viewer.owner.id, "viewer");
  const ask = (who: { cookie: string }, path: string, input: object) =>
    askTrpc(world, who.cookie, `${path}`, { team_id, ...input });
  for (const who of [member, viewer]) {
    expect((await ask(who, "listMembers", {})).body.result.data.members).toHaveLength(4);
    for (const [path, input] of [
      ["addMember", { user_name: outsider.owner.name, role: "viewer" }],
      ["inviteMember", { user_name: unguessable("new"), role: "viewer" }],
      ["setMemberRole", { user_id: who.owner.id, role: "owner" }],
      ["removeMember", { user_id: admin.owner.id }],
    ] as const)
      expect([path, codeOf(await ask(who, path, input))]).toEqual([path, "role_forbidden"]);
  }
  expect(codeOf(await ask(outsider, "listMembers", {}))).toBe("not_found");
  expect(codeOf(await ask(outsider, "removeMember", { user_id: owner.owner.id }))).toBe("not_found");
  expect(codeOf(await ask(admin, "setMemberRole", { user_id: owner.owner.id, role: "viewer" }))).toBe(
    "role_forbidden",
  );
  expect(codeOf(await ask(admin, "setMemberRole", { user_id: admin.owner.id, role: "owner" }))).toBe(
    "role_forbidden",
  );
  expect((await ask(admin, "setMemberRole", { user_id: viewer.owner.id, role: "member" })).status).toBe(200);
  const name = unguessable("new");
  const invited = await ask(admin, "inviteMember", { user_name: name, role: "viewer" });
  expect((await world.service.accounts.invitation(invited.body.result.data.setup_code))?.owner.name).toBe(
    name,
  );
  expect(codeOf(await ask(owner, "inviteMember", { user_name: outsider.owner.name, role: "viewer" }))).toBe(
    "conflict",
  );
  expect((await ask(member, "removeMember", { user_id: member.owner.id })).status).toBe(200);
  expect(codeOf(await ask(owner, "removeMember", { user_id: owner.owner.id }))).toBe("conflict");
});
