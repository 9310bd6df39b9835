import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner } from "../../support/acting.ts";
import { runSkill } from "../../support/skill.ts";
import { type Client, type ClientOptions, openWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly advice: string | null;
}

const findingsOf = async (
  client: Pick<Client, "get">,
  query = "",
  headers: Record<string, string> = {},
): Promise<{ ok: boolean; summary: string; of(check: string): Finding | undefined }> => {
  const { status, body } = await client.get(`/v1/doctor${query}`, headers);
  expect(status).toBe(200);
  const findings: Finding[] = body.findings;
  expect(findings.map(({ check }) => check)).toEqual([
    "credential",
    "scopes",
    "reach",
    "clock",
    "service",
    "index",
  ]);
  return { ...body, of: (check) => findings.find((finding) => finding.check === check) };
};

const someone = (options: ClientOptions = {}) => world.client({ owner: freshOwner(), ...options });

test("where all is well it says so, and the same by the skill runtime", async () => {
  const client = await someone();
  const told = await findingsOf(client);
  expect(told).toMatchObject({ ok: true, summary: "Everything is in order." });
  expect(told.of("credential")?.found).toBe(
    "The credential is valid: an API key of a user. It does not end by itself.",
  );
  expect(told.of("service")?.found).toMatch(/^Recollect \S+ at http:\S+ answers, and so does its database/);
  const result = await runSkill(client, "doctor");
  expect(result.findings.map(({ status }: Finding) => status)).toEqual(Array(6).fill("ok"));
});

test("a credential that ends soon, and what to do about it", async () => {
  const told = await findingsOf(await someone({ expiresAt: Date.now() + 3_600_000 }));
  expect(told).toMatchObject({ ok: true });
  expect(told.of("credential")).toMatchObject({
    status: "warning",
    found: expect.stringContaining("It ends at 20"),
    advice: "Ask its owner for another key.",
  });
  expect(told.summary).toBe(told.of("credential")?.found);
});

test("an agent that nobody has bound is told how to be bound", async () => {
  const registered = await world.withToken("").post("/v1/agents/register", {
    entry_type: "cli",
    client_name: "A test",
    installation_fingerprint: "f",
  });
  const told = await findingsOf(world.withToken(registered.body.temporary_token));
  expect(told.of("credential")).toMatchObject({
    status: "warning",
    advice: expect.stringContaining("bind_url"),
  });
  expect(told.of("reach")?.found).toContain("its own quarantine".replace("its", "the agent's"));
  expect(told.of("reach")?.found).toContain("as the token has it");
});

test("scopes: what may be called with them, what is missing, and that none is of any use", async () => {
  const reader = await findingsOf(await someone({ scopes: ["memory:read"] }));
  expect(reader.of("scopes")?.found).toBe(
    "It has memory:read and may call recall, search, restore-state, todo-list. Not remember, save-state, todo-add, todo-done, expense-add: these need memory:write, ledger:write.",
  );
  const nobody = await findingsOf(await someone({ scopes: [] }));
  expect(nobody.ok).toBe(false);
  expect(nobody.of("scopes")).toMatchObject({ status: "broken", found: expect.stringContaining("no scope") });
});

test("reach: what it is confined to, whose names cannot speak for the service", async () => {
  const pathPrefix = 'agents" and all else is broken. "';
  const told = await findingsOf(await someone({ space: { pathPrefix, projects: ["apollo"] } }), "", {
    "x-agent-id": "coder",
  });
  expect(told.of("reach")?.found).toBe(
    `It reaches only the projects "apollo", paths below "agents' and all else is broken. '". What is written names the agent "coder", as the request claims.`,
  );
});

test("the clock of whoever asks is compared", async () => {
  const client = await someone();
  const at = (ms: number) => `?client_time=${new Date(Date.now() + ms).toISOString()}`;
  expect((await findingsOf(client, at(0))).of("clock")?.status).toBe("ok");
  const behind = (await findingsOf(client, at(-3_600_000))).of("clock");
  expect(behind).toMatchObject({
    status: "warning",
    found: expect.stringMatching(/Yours is 3[56]\d\d s behind/),
  });
});

test("what cannot be asked is a finding, and no error", async () => {
  const own = await openWorld();
  try {
    const client = await own.client();
    await findingsOf(client);
    // The credential is known for a moment without the database.
    await own.service.sql`alter table outbox rename to gone`;
    const told = await findingsOf(client);
    expect(told.ok).toBe(false);
    expect(told.of("service")).toMatchObject({
      status: "broken",
      advice: expect.stringContaining("/readyz"),
    });
    await own.service.sql`alter table gone rename to outbox`;
  } finally {
    await own.close();
  }
});
