import { afterAll, beforeAll, expect, test } from "vitest";
import { type BesideServer, openBesideServer } from "./beside-server.ts";

let cli: BesideServer;
beforeAll(async () => {
  cli = await openBesideServer();
});
afterAll(() => cli.close());

test("users erase counts unless it is told --yes, then erases, and shows the same receipt again", async () => {
  const { owner_id } = await cli.json("keys", "create", "--owner", "alice");
  expect(await cli.json("users", "erase", "alice")).toEqual({
    dry_run: true,
    kind: "user",
    name: "alice",
    would_remove: { owners: 1, tokens: 1 },
  });
  const shown = await cli.run("users", "erase", "alice");
  expect(shown).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^KIND +ROWS\nowners +1\ntokens +1\n$/),
  });
  expect(shown.stderr).toContain("Nothing was changed. Add --yes to erase alice for good.");
  expect(await cli.json("keys", "list")).toHaveLength(1);

  const receipt = await cli.json("users", "erase", "alice", "--yes");
  expect(receipt).toEqual({
    id: expect.any(String),
    kind: "user",
    owner_id,
    state: "confirmed",
    removed: { owners: 1, tokens: 1 },
    audit_lines: 2,
    started_at: expect.stringMatching(/Z$/),
    finished_at: expect.stringMatching(/Z$/),
  });
  expect(await cli.json("users", "list")).toEqual([]);
  expect(await cli.json("users", "erase", "alice", "--yes")).toEqual(receipt);
  expect(await cli.json("erasures")).toEqual([receipt]);
  expect(await cli.json("erasures", receipt.id)).toEqual(receipt);
  expect((await cli.run("erasures", receipt.id)).stdout).toContain(`receipt      ${receipt.id}\n`);
  const [row] = await cli.sql`select e::text as text from erasures e`;
  expect(row?.text).not.toContain("alice");
});

test("who is not there, or may not go, is refused in a sentence", async () => {
  const failed = (stderr: string) => ({ status: 1, stdout: "", stderr: `${stderr}\n` });
  const nobody = failed(
    "There is no user named nobody. Run recollect users list to see them all, or recollect erasures to see what was erased.",
  );
  expect(await cli.run("users", "erase", "nobody")).toEqual(nobody);
  expect(await cli.run("users", "erase", "nobody", "--yes")).toMatchObject({ status: 1, stdout: "" });
  await cli.json("teams", "create", "core", "--owner", "dora");
  expect(await cli.run("users", "erase", "dora", "--yes")).toEqual(
    failed(
      "The user is the last owner of the team core. Leave the team or make another member an owner first, or erase the team.\nMore about this: http://127.0.0.1:8787/docs/errors#conflict",
    ),
  );
  expect(await cli.json("teams", "erase", "core", "--yes")).toMatchObject({
    kind: "team",
    removed: { team_members: 1 },
  });
  expect(await cli.json("users", "erase", "dora", "--yes")).toMatchObject({ kind: "user" });
});
