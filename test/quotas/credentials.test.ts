import { afterAll, beforeAll, expect, test } from "vitest";
import { approve, bind, confirm, register, user } from "../agents/agents.ts";
import { expectRefusal } from "../support/acting.ts";
import { askTrpc, sessionOf } from "../support/trpc.ts";
import { openWorld, type World } from "../support/world.ts";

const MAX = 3;

let world: World;
beforeAll(async () => {
  world = await openWorld({ OWNER_CREDENTIALS_MAX: String(MAX) });
});
afterAll(() => world.close());

const key = { kind: "api_key", name: "laptop", scopes: ["memory:read"] };

async function someone() {
  const owner = await user(world);
  const cookie = await sessionOf(world, owner);
  const ask = (name: string, input: unknown) => askTrpc(world, cookie, `${name}`, input);
  return { owner, ask, create: () => ask("createCredential", key) };
}

test("whoever has as many credentials as they may makes no other, however it is asked for", async () => {
  const { owner, ask, create } = await someone();
  const agent = await bind(world, await register(world), owner);
  const made = [await create(), await create()];
  expect(made.map(({ status }) => status)).toEqual([200, 200]);

  const refused = await create();
  expect(refused).toMatchObject({ status: 403, body: { error: { data: { code: "quota_exceeded" } } } });
  expect(refused.body.error.message).toContain(`${MAX} valid credentials`);
  expectRefusal(await agent.post("/v1/skill/tokens", {}), 403, "quota_exceeded");
  const another = await register(world);
  const confirmation = await approve(world, another, owner);
  expectRefusal(await confirm(another, confirmation), 403, "quota_exceeded");

  await ask("revokeCredential", { credential_id: made[0]?.body.result.data.id });
  expect(await confirm(another, confirmation)).toMatchObject({ status: 200, body: { status: "bound" } });
  expect((await create()).status).toBe(403);
});

test("what replaces a credential is none more, and neither is a session or an agent that nobody has bound", async () => {
  const { owner, create } = await someone();
  const agent = await bind(world, await register(world), owner);
  const token = (await create()).body.result.data.token;
  await create();
  await register(world);
  expect((await world.withToken(token).post("/v1/keys/rotate", {})).status).toBe(200);
  expect((await agent.post("/v1/agents/rotate")).status).toBe(200);
  expect((await create()).status).toBe(403);
});

test("credentials that have ended do not count", async () => {
  const owner = (await user(world)).name;
  for (let at = 0; at < MAX; at += 1) await world.client({ owner, expiresAt: Date.now() - 1000 });
  for (let at = 0; at < MAX; at += 1) {
    const { tokenId } = await world.client({ owner });
    if (at === 0) await world.service.credentials.revoke(tokenId);
  }
  await expect(world.client({ owner })).resolves.toBeDefined();
  await expect(world.client({ owner })).rejects.toMatchObject({ code: "quota_exceeded" });
});
