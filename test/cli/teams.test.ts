import { afterAll, beforeAll, expect, test } from "vitest";
import { createTeamStore } from "../../src/adapters/postgres/access/team-store.ts";
import { type BesideServer, openBesideServer } from "./beside-server.ts";

let cli: BesideServer;
beforeAll(async () => {
  cli = await openBesideServer();
});
afterAll(() => cli.close());

const failed = (stderr: string) => ({ status: 1, stdout: "", stderr: `${stderr}\n` });

test("a team is made with its owner, gets members, changes their roles and loses them", async () => {
  const made = await cli.json("teams", "create", " research ", "--owner", "alice");
  expect(made).toEqual({
    team: "research",
    team_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user: "alice",
    user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    role: "owner",
    is_new: true,
    user_is_new: true,
  });
  const { team_id } = made;
  expect(await cli.json("teams", "create", "research", "--owner", "alice")).toEqual({
    ...made,
    is_new: false,
    user_is_new: false,
  });

  const bob = await cli.json("teams", "add", "research", "bob");
  expect(bob).toMatchObject({ team_id, user: "bob", role: "member", change: "added", user_is_new: true });
  expect(await cli.json("teams", "add", "research", "bob", "--role", "member")).toEqual({
    ...bob,
    change: "unchanged",
    user_is_new: false,
  });
  expect(await cli.run("teams", "add", "research", "alice")).toEqual(
    failed("alice is already owner of research. Change that with recollect teams role."),
  );
  expect(await cli.json("teams", "role", "research", "bob", "viewer")).toEqual({
    team: "research",
    team_id,
    user: "bob",
    user_id: bob.user_id,
    role: "viewer",
    change: "changed",
  });
  expect(await cli.json("teams", "members", "research")).toEqual([
    { user: "alice", user_id: made.user_id, role: "owner", since: expect.stringMatching(/Z$/) },
    { user: "bob", user_id: bob.user_id, role: "viewer", since: expect.stringMatching(/Z$/) },
  ]);
  expect(await cli.json("teams", "list")).toEqual([{ team: "research", team_id, members: 2 }]);

  expect(await cli.json("teams", "remove", "research", "bob")).toMatchObject({ team_id, change: "removed" });
  expect(await cli.json("teams", "remove", "research", "bob")).toMatchObject({ change: "unchanged" });
  const lines =
    await cli.sql`select operation, detail from audit_log where owner_id = ${team_id} order by id`;
  expect(lines.map(({ operation, detail }) => [operation, detail])).toEqual([
    ["team_create", { user: made.user_id, role: "owner" }],
    ["team_add", { user: bob.user_id, role: "member" }],
    ["team_role", { user: bob.user_id, role: "viewer" }],
    ["team_remove", { user: bob.user_id, role: "viewer" }],
  ]);
});

test("people are told the same in words, without what could steer their terminal", async () => {
  const { stdout } = await cli.run("teams", "create", "a\u202eb", "--owner", "zoe");
  expect(stdout).toMatch(/^Created the team a\?b \([0-9a-f-]{36}\), owned by zoe; the user was created\.\n$/);
  expect((await cli.run("teams", "add", "a\u202eb", "yan")).stdout).toMatch(
    /^Added: yan is member of a\?b \([0-9a-f-]{36}\); the user was created\.\n$/,
  );
  expect((await cli.run("teams", "list")).stdout).toMatch(
    /^TEAM +TEAM ID +MEMBERS\na\?b +[0-9a-f-]{36} +2\n/,
  );
  expect((await cli.run("teams", "remove", "a\u202eb", "yan")).stdout).toBe("Removed yan from a?b.\n");
});

test("what does not work out has exit status 1, says what to do and changes nothing", async () => {
  await cli.json("teams", "create", "core", "--owner", "dora");
  await cli.json("teams", "add", "core", "emil");
  const members = () => cli.json("teams", "members", "core");
  const before = await members();
  const last = failed(
    "This is the team's last owner. Make another member an owner first.\nMore about this: http://127.0.0.1:8787/docs/errors#conflict",
  );
  expect(await cli.run("teams", "remove", "core", "dora")).toEqual(
    failed(
      "dora is the last owner of core. With --yes the team is handed over. emil becomes owner. Or make another member an owner first.",
    ),
  );
  expect(await cli.run("teams", "role", "core", "dora", "admin")).toEqual(last);
  expect(await cli.run("teams", "create", "core", "--owner", "emil")).toEqual(
    failed("There is already a team named core. Add members with recollect teams add."),
  );
  expect(await cli.run("teams", "add", "nowhere", "newcomer")).toEqual(
    failed("There is no team named nowhere. Run recollect teams list to see them all."),
  );
  expect(await createTeamStore(cli.sql).findUser("newcomer")).toBeNull();
  expect(await cli.run("teams", "role", "core", "nobody", "viewer")).toEqual(
    failed("There is no user named nobody. Run recollect users list to see them all."),
  );
  await cli.json("keys", "create", "--owner", "outsider");
  expect(await cli.run("teams", "role", "core", "outsider", "viewer")).toEqual(
    failed("outsider is not a member of core. Add the user with recollect teams add."),
  );
  expect(await members()).toEqual(before);
});

test("the last owner is removed by handing the team over, and the last member by erasing it", async () => {
  await cli.json("teams", "create", "relay", "--owner", "ines");
  await cli.json("teams", "add", "relay", "jack", "--role", "viewer");
  expect(await cli.json("teams", "remove", "relay", "ines", "--yes")).toMatchObject({ change: "removed" });
  expect(await cli.json("teams", "members", "relay")).toMatchObject([{ user: "jack", role: "owner" }]);
  expect(await cli.run("teams", "remove", "relay", "jack", "--yes")).toEqual(
    failed(
      "jack is the last member of relay. Erase the team with recollect teams erase, or add another member first.",
    ),
  );
});

test("who can sign in is invited, and becomes a member by accepting, here too", async () => {
  const { team_id } = await cli.json("teams", "create", "guild", "--owner", "kim");
  await cli.json("keys", "create", "--owner", "lea");
  await cli.sql`
    with account as (
      insert into auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values ('lea', 'lea', 'lea@example.com', true, now(), now()) returning id
    )
    insert into auth.sign_ins (user_id, owner_id)
    select account.id, o.id from account, owners o where o.kind = 'user' and o.name = 'lea'`;
  const members = async () =>
    (await cli.json("teams", "members", "guild")).map(({ user }: { user: string }) => user);
  expect(await cli.json("teams", "add", "guild", "lea")).toMatchObject({ role: "member", change: "invited" });
  const withKey = await cli.json("keys", "create", "--owner", "lea", "--team", "guild");
  expect(withKey.member).toMatchObject({ user: "lea", role: "member", change: "invited" });
  expect((await cli.run("teams", "add", "guild", "lea", "--role", "admin")).stdout).toBe(
    "Invited lea to guild as admin. They are not a member until they accept.\n",
  );
  expect(await members()).toEqual(["kim"]);
  expect(await cli.json("teams", "invitations", "lea")).toMatchObject([
    { team: "guild", team_id, role: "admin", invited_by: null },
  ]);
  expect((await cli.run("teams", "invitations", "lea")).stdout).toMatch(
    /^guild +admin +the operator +\S+Z$/m,
  );
  expect(await cli.json("teams", "accept", "guild", "lea")).toMatchObject({ team_id, change: "added" });
  expect(await members()).toEqual(["kim", "lea"]);
  expect((await cli.run("teams", "invitations", "lea")).stdout).toBe("There are no open invitations.\n");
  await cli.json("teams", "remove", "guild", "lea");
  await cli.json("teams", "add", "guild", "lea");
  expect((await cli.run("teams", "decline", "guild", "lea")).stdout).toBe("Declined for lea: guild.\n");
  expect(await cli.run("teams", "accept", "guild", "lea")).toEqual(
    failed("lea has no open invitation to guild. Run recollect teams invitations lea to see all."),
  );
  expect(await members()).toEqual(["kim"]);
});

test("a key of a team makes its user a member, and leaves the role of one who is", async () => {
  const key = (owner: string) => cli.json("keys", "create", "--owner", owner, "--team", "fresh");
  const first = await key("finn");
  expect(first).toMatchObject({
    owner: "fresh",
    owner_kind: "team",
    member: { user: "finn", role: "owner" },
  });
  expect((await key("gina")).member).toMatchObject({ user: "gina", role: "member" });
  await cli.json("teams", "role", "fresh", "gina", "viewer");
  expect((await key("gina")).member).toMatchObject({ role: "viewer" });
  const shown = await cli.run("keys", "create", "--owner", "gina", "--team", "fresh");
  expect(shown.stdout).toMatch(/^member {6}gina is viewer of the team$/m);
  const alone = await cli.json("keys", "create", "--team", "empty");
  expect(alone).not.toHaveProperty("member");
  expect(alone).not.toHaveProperty("user_is_new");
  expect(await cli.json("teams", "members", "empty")).toEqual([]);
  expect(await cli.json("teams", "create", "empty", "--owner", "hal")).toMatchObject({
    team_id: alone.owner_id,
    role: "owner",
    is_new: false,
  });
});

test.each([
  ["a key", ["keys", "create", "--owner"], /^owner {7}(\S+) \(user [\w-]+\)(.*)$/m],
  [
    "a team's key",
    ["keys", "create", "--team", "fresh", "--owner"],
    /^member {6}(\S+) is member of the team(.*)$/m,
  ],
  ["a skill's token", ["skills", "issue", "--owner"], /^owner {7}(\S+) \(user [\w-]+\)(.*)$/m],
])("%s for a user that is new says so, as a mistyped name makes one", async (what, args, line) => {
  const name = `typo-${what.replaceAll(/\W/g, "-")}`;
  const told = async () => (await cli.run(...args, name)).stdout.match(line)?.slice(1);
  expect([await told(), await told()]).toEqual([
    [name, "; the user was created"],
    [name, ""],
  ]);
});
