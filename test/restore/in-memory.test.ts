/** A backup that is put back, and the index in memory: below a server that runs, and before one starts. */
import { expect, onTestFinished, test } from "vitest";
import { countAhead } from "../../src/adapters/postgres/recall/transaction-ids.ts";
import { freshOwner, query, stored } from "../support/acting.ts";
import { backUp } from "../support/backup.ts";
import { eventually } from "../support/processes.ts";
import { type Client, openWorld } from "../support/world.ts";

async function ownWorld() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  return { world, sql: world.service.sql, client: await world.client({ owner: freshOwner() }) };
}

async function found(client: Client, words: string): Promise<string[]> {
  const { body } = await client.get(`/v1/memories/search${query({ query: words, limit: 20 })}`);
  return body.results.map(({ content }: { content: string }) => content).toSorted();
}

test("a running server recalls what a backup has put back, and nothing that came after it", async () => {
  const { sql, client } = await ownWorld();
  const id = await stored(client, { content: "The gateway listens on zebra." });
  expect(await found(client, "gateway")).toEqual(["The gateway listens on zebra."]);
  const erased = await stored(client, { content: "The lamp is amber." });
  expect(await found(client, "lamp")).toContain("The lamp is amber.");
  const putBack = await backUp(sql);
  await client.delete(`/v1/memories/${erased}?mode=hard_delete`);
  await client.patch(`/v1/memories/${id}`, { content: "The gateway listens on quagga." });
  await stored(client, { content: "The gateway was moved." });
  expect(await found(client, "gateway lamp")).not.toContain("The lamp is amber.");
  const follower = (await client.get("/v1/events")).body.next;
  await putBack();
  expect(await found(client, "zebra gateway")).toEqual([
    "The gateway listens on zebra.",
    "The lamp is amber.",
  ]);
  // The same revision again, of another text.
  await client.patch(`/v1/memories/${id}`, { content: "The gateway listens on okapi." });
  expect(await found(client, "okapi gateway")).toContain("The gateway listens on okapi.");
  const [last] = await sql`select reason from record_incarnations order by number desc limit 1`;
  expect(last).toEqual({ reason: "restored" });
  // Whoever was told of what is forgotten now, is told to begin anew.
  expect((await client.get(`/v1/events${query({ after: follower })}`)).status).toBe(410);
});

test.each([1_000_000n, -1n])(
  "rows of another cluster, whose transaction ids are %d from here, are mended by the first server and read once",
  async (offset) => {
    const { world, sql, client } = await ownWorld();
    await stored(client, { content: "The gateway listens on zebra." });
    await stored(client, { content: "The gateway listens on okapi." });
    // What a dump leaves in another cluster: the ids of then, and the place of then.
    await sql`
      update memories set changed_xid =
        case when ${offset > 0n} then (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${String(offset)}::bigint)::text::xid8 else '5' end`;
    await sql`update record_incarnations set system = 'another', mended_at = now()`;
    expect(await countAhead(sql)).toBe(offset > 0n ? 2 : 0);
    const restored = await world.replica();
    const answer = await restored(
      new Request(`http://localhost/v1/memories/search${query({ query: "gateway" })}`, {
        headers: { authorization: `Bearer ${client.token}` },
      }),
    );
    expect((await answer.json()).results).toHaveLength(2);
    const mended = async () => {
      const [row] = await sql`
        select reason from record_incarnations where mended_at is not null and number > 1`;
      return row?.reason as string | undefined;
    };
    expect(await eventually("the rows to be mended", mended)).toBe("restored");
    expect(await countAhead(sql)).toBe(0);
    expect(await found(client, "gateway")).toHaveLength(2);
  },
);

test("a server that starts again finds the record where it was", async () => {
  const { world, sql } = await ownWorld();
  await world.replica();
  expect(await sql`select number, reason from record_incarnations`).toEqual([{ number: 1, reason: "first" }]);
});
