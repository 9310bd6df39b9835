import { afterAll, beforeAll, expect, test } from "vitest";
import { type BesideServer, openBesideServer } from "./beside-server.ts";

let cli: BesideServer;
beforeAll(async () => {
  cli = await openBesideServer({ PUBLIC_URL: "https://memory.example" });
});
afterAll(() => cli.close());

const LINK = /^https:\/\/memory\.example\/setup\?code=([\w-]{43})$/;

test("users invite makes the user and a link of this service that is good for a day", async () => {
  const invited = await cli.json("users", "invite", " alice ");
  expect(invited).toEqual({
    user: "alice",
    user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user_is_new: true,
    url: expect.stringMatching(LINK),
    expires_at: expect.stringMatching(/Z$/),
  });
  const lastsMs = Date.parse(invited.expires_at) - Date.now();
  expect(lastsMs).toBeLessThanOrEqual(86_400_000);
  expect(lastsMs).toBeGreaterThan(86_400_000 - 600_000);

  const again = await cli.run("users", "invite", "alice");
  const [, user, url] =
    /^user {8}alice \((.*)\)\nurl {9}(.*)\nexpires_at {2}\S+Z\n$/.exec(again.stdout) ?? [];
  expect(user).toBe(invited.user_id);
  expect(url).toMatch(LINK);
  expect(url).not.toBe(invited.url);
  expect(again.stderr).toContain("Give the link only to that person");
});

test("the secret in the link is the invitation's, and is not in the database", async () => {
  const { url, user_id } = await cli.json("users", "invite", "bob");
  const secret = LINK.exec(url)?.[1] as string;
  const rows = await cli.sql`select i::text as row, i.* from auth.invitations i where owner_id = ${user_id}`;
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(secret);
  expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString("hex"));
});

test("users list shows who can sign in, and teams and roles", async () => {
  const { team_id, user_id } = await cli.json("teams", "create", "research", "--owner", "carol");
  await cli.json("teams", "create", "core", "--owner", "dan");
  await cli.json("teams", "add", "core", "carol", "--role", "viewer");
  await cli.sql`
    insert into auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values ('u1', 'carol', 'carol@example.com', false, now(), now())`;
  await cli.sql`insert into auth.sign_ins (user_id, owner_id) values ('u1', ${user_id})`;
  const listed = await cli.json("users", "list");
  expect(listed.map(({ user }: { user: string }) => user)).toEqual(["alice", "bob", "carol", "dan"]);
  expect(listed[2]).toEqual({
    user: "carol",
    user_id,
    has_account: true,
    teams: [
      { team: "core", team_id: expect.any(String), role: "viewer" },
      { team: "research", team_id, role: "owner" },
    ],
  });
  expect(listed[0]).toMatchObject({ has_account: false, teams: [] });
  const { stdout } = await cli.run("users", "list");
  expect(stdout).toMatch(/^carol +[0-9a-f-]{36} +yes +core \(viewer\), research \(owner\)$/m);

  expect(await cli.run("users", "invite", "carol")).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "This user already has a sign-in account: sign in with that one.\nMore about this: https://memory.example/docs/errors#conflict\n",
  });
});

test("users revoke ends a user's account, so that another can be made", async () => {
  const { user_id } = await cli.json("users", "invite", "erin");
  await cli.sql`
    insert into auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values ('u2', 'erin', 'erin@example.com', false, now(), now())`;
  await cli.sql`insert into auth.sign_ins (user_id, owner_id) values ('u2', ${user_id})`;
  const ended = { status: 0, stdout: "Removed the account of erin.\n", stderr: "" };
  expect(await cli.run("users", "revoke", "erin")).toEqual(ended);
  expect(await cli.sql`select 1 from auth."user" where id = 'u2'`).toHaveLength(0);
  expect(await cli.sql`select 1 from auth.invitations where owner_id = ${user_id}`).toHaveLength(0);
  expect((await cli.json("users", "invite", "erin")).user_id).toBe(user_id);
  const none = {
    status: 1,
    stdout: "",
    stderr: "No user with that name has a sign-in account. Run recollect users list to see all users.\n",
  };
  expect(await cli.run("users", "revoke", "erin")).toEqual(none);
  expect(await cli.run("users", "revoke", "nobody")).toEqual(none);
});
