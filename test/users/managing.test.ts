import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
let app: Client;

beforeAll(async () => {
  world = await openWorld();
  app = await world.client({ owner: "shop", scopes: ["memory:read", "memory:write", "users:act"] });
});
afterAll(() => world.close());

const remember = (user: string, content: string) =>
  app.post("/v1/remember", { content, path: "notes", user_id: user });

async function confirmed(id: string) {
  for (;;) {
    const receipt = await world.withToken("").get(`/v1/erasures/${id}`);
    if (receipt.body.state === "confirmed") return receipt.body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Tables and columns that hold a text or id, of everything in the database. */
async function placesOf(text: string): Promise<string[]> {
  const { sql } = world.service;
  const columns = await sql`
    select c.table_schema || '.' || quote_ident(c.table_name) as "table", quote_ident(c.column_name) as "column"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema in ('public', 'auth')`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await sql.unsafe(
      `select count(*)::int as rows from ${table} where position($1 in ${column}::text) > 0`,
      [text],
    );
    if (row?.rows > 0) found.push(`${table}.${column}`);
  }
  return found;
}

describe("A token of an end user", () => {
  test("ends when the key that issued it is revoked, and outlives the key's rotation", async () => {
    const asShop = { owner: "kiosk", scopes: ["memory:read", "memory:write", "users:act"] as const };
    const [issuer, other] = [await world.client(asShop), await world.client(asShop)];
    const issue = async (client: Pick<Client, "post">) =>
      world.withToken((await client.post("/v1/users/held/tokens", {})).body.token);
    const ended = await issue(issuer);
    const kept = await issue(other);
    const rotated = await issuer.post("/v1/keys/rotate", {});
    const successor = world.withToken(rotated.body.token);
    const later = await issue(successor);
    const statuses = async () =>
      Promise.all([ended, later, kept].map(async (token) => (await token.get("/v1/memories")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await world.service.credentials.revoke(rotated.body.previous_id);
    expect(await statuses()).toEqual([401, 200, 200]);
    await world.service.credentials.revoke(rotated.body.id);
    expect(await statuses()).toEqual([401, 401, 200]);
  });
});

describe("The list of end users", () => {
  test("goes page by page in the order of ids, with numbers", async () => {
    for (const user of ["b", "a", "C", "a@x.org", "c"]) await remember(user, `I am ${user}`);
    await remember("a", "A likes figs");
    const first = await app.get("/v1/users?limit=2");
    expect(first.body).toMatchObject({
      users: [
        { user_id: "C", memories: 1 },
        { user_id: "a", memories: 2 },
      ],
      next_cursor: "a",
    });
    const second = await app.get("/v1/users?limit=3&cursor=a");
    expect(second.body.users.map((one: { user_id: string }) => one.user_id)).toEqual(["a@x.org", "b", "c"]);
    expect(second.body.next_cursor).toBeNull();
    expect((await app.get("/v1/users?prefix=a")).body.users).toHaveLength(2);
    const one = (await app.get("/v1/users/a")).body;
    expect(one).toMatchObject({ user_id: "a", memories: 2 });
    expect(Date.parse(one.first_seen)).toBeLessThanOrEqual(Date.parse(one.last_active));
  });

  test("shows nothing of another application, and needs the scope", async () => {
    const other = await world.client({ owner: "rival", scopes: ["users:act"] });
    expect((await other.get("/v1/users")).body.users).toEqual([]);
    expect((await other.get("/v1/users/a")).status).toBe(404);
    expect((await other.get("/v1/users/a/export")).status).not.toBe(200);
    const plain = await world.client({ owner: "shop", scopes: ["memory:read", "memory:write"] });
    for (const path of ["/v1/users", "/v1/users/a", "/v1/users/a/export"])
      expect([path, (await plain.get(path)).status]).toEqual([path, 403]);
  });
});

describe("The export of an end user", () => {
  test("is JSON lines, page by page, and can be imported", async () => {
    for (let n = 0; n < 5; n += 1) await remember("exported", `Fact number ${n} about walnuts`);
    await app.post("/v1/projects/p/todos", { content: "Crack walnuts", user_id: "exported" });
    const texts: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const response: Response = await world.handle(
        new Request(`http://localhost/v1/users/exported/export?limit=2${cursor && `&cursor=${cursor}`}`, {
          headers: { "x-api-key": app.token },
        }),
      );
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/jsonl");
      texts.push(await response.text());
      cursor = response.headers.get("x-recollect-next-cursor");
    }
    expect(texts.length).toBeGreaterThanOrEqual(3);
    const lines = texts
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ kind }) => kind === "memory")).toHaveLength(6);
    for (const { owner } of lines)
      expect(owner).toEqual({
        kind: "end_user",
        name: "exported",
        application: { kind: "user", name: "shop" },
      });
  });
});

describe("The erasure of an end user", () => {
  test("has a dry run, a plan and a receipt, and leaves nothing", async () => {
    await remember("gone", "A quagga grazes here");
    await app.post(
      "/v1/projects/savanna/todos",
      { content: "Count quaggas", user_id: "gone" },
      {
        "idempotency-key": "quagga-key",
      },
    );
    await app.get("/v1/memories/search?query=quagga&user_id=gone");
    const issued = await app.post("/v1/users/gone/tokens", {});
    const token = world.withToken(issued.body.token);
    expect((await token.get("/v1/memories")).status).toBe(200);
    const dry = await app.delete("/v1/users/gone");
    expect(dry.body).toMatchObject({ dry_run: true, kind: "end_user", name: "gone" });
    expect(dry.body.would_remove).toMatchObject({ memories: 2, tokens: 1 });
    expect((await app.delete("/v1/users/gone?dry_run=false")).status).toBe(422);
    expect((await app.delete("/v1/users/gone?dry_run=false&plan_hash=wrong")).status).toBe(409);
    const { owner_id: ownerId, plan_hash: hash, erasure_id: id } = dry.body;
    const begun = await app.delete(`/v1/users/gone?dry_run=false&plan_hash=${hash}`);
    expect(begun.body).toMatchObject({ erasure_id: id, is_repeat: false });
    expect((await token.get("/v1/memories")).status).toBe(401);
    const refused = await remember("gone", "A quagga again");
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect((await app.get("/v1/memories?user_id=gone")).body.memories).toEqual([]);
    expect((await app.get("/v1/users/gone")).status).toBe(404);
    const again = await app.delete(`/v1/users/gone?dry_run=false&plan_hash=${hash}`);
    expect(again.body).toMatchObject({ erasure_id: id, is_repeat: true });
    const receipt = await confirmed(id);
    expect(receipt).toMatchObject({ kind: "end_user", owner_id: ownerId });
    expect(receipt.removed).toMatchObject({ memories: 2, tokens: 1 });
    expect(await placesOf("quagga")).toEqual([]);
    expect(await placesOf("savanna")).toEqual([]);
    // Ids alone, by which the receipt is found.
    expect(
      (await placesOf(ownerId)).filter((place) => !/erasures|audit_log|tombstones|outbox/.test(place)),
    ).toEqual([]);
    expect((await remember("gone", "Somebody new")).status).toBe(201);
    expect((await app.get("/v1/users/gone")).body.memories).toBe(1);
  });

  test("while it writes leaves nothing", async () => {
    await remember("busy", "A numbat digs, number -1");
    const issued = await app.post("/v1/users/busy/tokens", {});
    const token = world.withToken(issued.body.token);
    let isOver = false;
    const statuses = new Set<number>();
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const content = `A numbat digs, number ${writer}-${n}`;
        const sent =
          writer % 2 === 0 ? token.post("/v1/remember", { content, path: "n" }) : remember("busy", content);
        statuses.add((await sent).status);
      }
    });
    const dry = await app.delete("/v1/users/busy");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const begun = await app.delete(`/v1/users/busy?dry_run=false&plan_hash=${dry.body.plan_hash}`);
    expect(begun.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 700));
    isOver = true;
    await Promise.all(writing);
    await confirmed(begun.body.erasure_id);
    expect([...statuses].filter((status) => ![201, 200, 401, 409].includes(status))).toEqual([]);
    expect(await placesOf("numbat")).toEqual([]);
  });

  test("comes with that of the application", async () => {
    const doomed = await world.client({ owner: "doomed" });
    const tokens = [];
    for (let n = 0; n < 7; n += 1) {
      await doomed.post("/v1/remember", { content: `An okapi hides, ${n}`, path: "n", user_id: `u${n}` });
      tokens.push((await doomed.post(`/v1/users/u${n}/tokens`, {})).body.token);
    }
    await doomed.post("/v1/remember", { content: "An okapi of the application", path: "n" });
    const dry = await doomed.post("/v1/erasures", {});
    expect(dry.body.would_remove).toMatchObject({ memories: 8 });
    const begun = await doomed.post("/v1/erasures", {
      dry_run: false,
      confirm: "doomed",
      plan_hash: dry.body.plan_hash,
    });
    for (const token of tokens) expect((await world.withToken(token).get("/v1/memories")).status).toBe(401);
    const receipt = await confirmed(begun.body.erasure_id);
    expect(receipt.removed).toMatchObject({ memories: 8 });
    expect(await placesOf("okapi")).toEqual([]);
    expect(await world.service.sql`select from owners where application_id = ${doomed.ownerId}`).toHaveLength(
      0,
    );
  });
});
