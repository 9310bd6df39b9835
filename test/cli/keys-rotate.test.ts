import { afterAll, beforeAll, expect, test } from "vitest";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { type BesideServer, openBesideServer } from "./beside-server.ts";

let cli: BesideServer;
beforeAll(async () => {
  cli = await openBesideServer();
});
afterAll(() => cli.close());

test("keys rotate prints the new key once, keeps the old one for the overlap, and can be asked again", async () => {
  const key = await cli.json("keys", "create", "--owner", "alice", "--name", "laptop", "--expires", "90d");
  const rotated = await cli.json("keys", "rotate", key.id, "--overlap", "1h");
  expect(rotated).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^rcl_key_/),
    owner: "alice",
    owner_kind: "user",
    owner_id: key.owner_id,
    scopes: key.scopes,
    projects: null,
    path_prefix: null,
    buckets: null,
    expires_at: key.expires_at,
    previous_id: key.id,
    previous_valid_until: expect.stringMatching(/Z$/),
  });
  const shown = await cli.run("keys", "rotate", key.id, "--expires", "10d");
  expect(shown.stdout).toContain(`previous    ${key.id} is valid until ${rotated.previous_valid_until}\n`);
  expect(shown.stderr).toContain("Save the token now");
  const store = createCredentialStore(cli.sql);
  expect(await store.authenticate(rotated.token)).toBeNull();
  expect(await store.authenticate(key.token)).toMatchObject({ name: "laptop" });
  const next = await store.authenticate(/token +(\S+)/.exec(shown.stdout)?.[1] as string);
  expect(next).toMatchObject({ name: "laptop", owner: { name: "alice" } });
});

test("what cannot be rotated is refused in a sentence, with exit status 1", async () => {
  const failed = (stderr: string) => ({ status: 1, stdout: "", stderr: `${stderr}\n` });
  const { id } = await cli.json("keys", "create", "--owner", "bob");
  await cli.run("keys", "revoke", id);
  expect(await cli.run("keys", "rotate", id)).toEqual(
    failed(
      "This key has expired or been revoked: make a new one.\nMore about this: http://127.0.0.1:8787/docs/errors#conflict",
    ),
  );
  expect(await cli.run("keys", "rotate", "nothing")).toMatchObject({ status: 1, stdout: "" });
  expect(await cli.run("keys", "rotate", id, "--overlap", "soon")).toMatchObject({ status: 2, stdout: "" });
});
