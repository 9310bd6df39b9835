import { afterAll, beforeAll, expect, test } from "vitest";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { type BesideServer, openBesideServer } from "./beside-server.ts";

let cli: BesideServer;
beforeAll(async () => {
  cli = await openBesideServer();
});
afterAll(() => cli.close());

const DAY_MS = 86_400_000;

test("skills issue makes a skill token of the user with what was asked for, for 90 days", async () => {
  const asked =
    "--scopes memory:read,ledger:write --projects p --path-prefix a/b --buckets ledger --name spend";
  const issued = await cli.json("skills", "issue", "--owner", "alice", ...asked.split(" "));
  expect(issued).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^rcl_skill_[\w-]{43}$/),
    owner: "alice",
    owner_kind: "user",
    owner_id: expect.any(String),
    user_is_new: true,
    scopes: ["memory:read", "ledger:write"],
    projects: ["p"],
    path_prefix: "a/b",
    buckets: ["ledger"],
    expires_at: expect.any(String),
  });
  const lastsMs = Date.parse(issued.expires_at) - Date.now();
  expect(lastsMs).toBeLessThanOrEqual(90 * DAY_MS);
  expect(lastsMs).toBeGreaterThan(89 * DAY_MS);
  expect(await createCredentialStore(cli.sql).authenticate(issued.token)).toMatchObject({
    kind: "skill",
    owner: { kind: "user", name: "alice" },
    space: { teamId: null, projects: ["p"], pathPrefix: "a/b", buckets: ["ledger"] },
  });
});

test("with --team it is confined to the team, of which the user must be a member", async () => {
  const issue = ["skills", "issue", "--owner", "bob", "--team", "research", "--expires", "30d"];
  expect(await cli.run(...issue)).toEqual({
    status: 1,
    stdout: "",
    stderr: "bob is not a member of a team named research. Add the user with recollect teams add.\n",
  });
  const { team_id } = await cli.json("teams", "create", "research", "--owner", "carol");
  await cli.json("teams", "add", "research", "bob", "--role", "viewer");
  const issued = await cli.json(...issue);
  expect(issued).toMatchObject({ owner: "bob", owner_kind: "user", team: "research", team_id });
  const credentials = createCredentialStore(cli.sql);
  expect(await credentials.authenticate(issued.token)).toMatchObject({ space: { teamId: team_id } });

  const listed = (await cli.json("keys", "list")).find((key: { id: string }) => key.id === issued.id);
  expect(listed).toMatchObject({ kind: "skill", owner: "bob", team_id, revoked_at: null });
  const shown = await cli.run("keys", "list");
  expect(shown.stdout).toMatch(new RegExp(`^${issued.id} +skill .* ${team_id} `, "m"));
  await cli.json("keys", "revoke", issued.id);
  expect(await createCredentialStore(cli.sql).authenticate(issued.token)).toBeNull();
});
