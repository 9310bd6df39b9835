import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { dedupeHash } from "../../src/core/memory/identity.ts";
import { found, freshOwner, listed, memory } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const COMPOSED = "Caf\u00e9";
const DECOMPOSED = "Cafe\u0301";
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Puts labels of an owner's memories back into the form that they could have before, with the hash of then. */
async function asBefore({ ownerId }: Client): Promise<void> {
  const { sql } = world.service;
  const rows = await sql`select * from memories where owner_id = ${ownerId}`;
  for (const row of rows) {
    const sessionId = row.session_id?.normalize("NFD") ?? null;
    const before = dedupeHash(hash, {
      ...{ content: row.content, projectId: row.project_id, path: row.path, scope: row.scope },
      ...{ memoryType: row.memory_type, semanticKey: row.semantic_key, status: "active" },
      ...{ bucket: row.bucket.normalize("NFD"), sessionId },
    });
    await sql`
      update memories set bucket = ${row.bucket.normalize("NFD")}, session_id = ${sessionId},
        provenance = ${JSON.parse(JSON.stringify(row.provenance).normalize("NFD"))},
        dedupe_hash = decode(${before}, 'hex') where id = ${row.id}`;
  }
  await sql`
    update memory_versions v set state = v.state || jsonb_build_object('bucket', ${DECOMPOSED}::text)
    from memories m where m.id = v.memory and m.owner_id = ${ownerId}`;
  await sql`update tokens set buckets = ${[DECOMPOSED, "b"]} where owner_id = ${ownerId} and buckets is not null`;
}

async function migrateAgain(): Promise<void> {
  const { sql } = world.service;
  const { count } = await sql`delete from migrations where name = '000013_labels_in_nfc.sql'`;
  expect(count).toBe(1);
  await migrate(sql);
}

test("labels that were stored in another form are found, matched and deduplicated afterwards", async () => {
  const owner = freshOwner();
  const client = await world.client({ owner });
  const confined = await world.client({ owner, space: { buckets: ["x"] } });
  const content = '  The\u00a0menu \ud83e\udd50 says "caf\u00e9\\" \t/\u2028 and\u3000\u0001 more.\n';
  const said = [
    { bucket: COMPOSED, content, semantic_key: "menu", project_id: "apollo" },
    { bucket: "b", content, memory_type: "working", provenance: { session_id: COMPOSED } },
    { bucket: COMPOSED, content: "plain", status: "active" },
  ];
  const ids: string[] = [];
  for (const each of said) ids.push((await client.post("/v1/remember", memory(each))).body.id);
  await client.patch(`/v1/memories/${ids[2]}`, { content: "changed" });
  expect(await found(client, "menu")).toContain(ids[0]);
  await asBefore(client);
  await migrateAgain();

  expect(await listed(client, { bucket: COMPOSED })).toHaveLength(2);
  expect((await found(client, "menu", { bucket: COMPOSED })).sort()).toEqual([ids[0], ids[2]].sort());
  for (const [at, each] of [...said.slice(0, 2), { bucket: COMPOSED, content: "changed" }].entries()) {
    const again = await client.post("/v1/remember", memory(each));
    expect(again.body).toMatchObject({ id: ids[at], deduplicated: true });
  }
  const { provenance } = (await client.get(`/v1/memories/${ids[1]}`)).body;
  expect(provenance.session_id).toBe(COMPOSED);
  const { versions } = (await client.get(`/v1/memories/${ids[2]}/versions`)).body;
  expect(versions.map(({ bucket }: { bucket: string }) => bucket)).toEqual(versions.map(() => COMPOSED));
  await world.service.credentials.revoke("00000000-0000-7000-8000-000000000000"); // forgets what it has cached
  expect(await listed(confined, { status: "%" })).toHaveLength(3);
});

test("a row whose labels are in that form already is not written", async () => {
  const client = await world.client({ owner: freshOwner() });
  const { body } = await client.post("/v1/remember", memory({ bucket: COMPOSED, content: DECOMPOSED }));
  const before = (await client.get(`/v1/memories/${body.id}`)).body;
  await migrateAgain();
  expect((await client.get(`/v1/memories/${body.id}`)).body).toEqual(before);
});
