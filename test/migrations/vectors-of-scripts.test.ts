import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/adapters/postgres/database/migrate.ts";
import { memory } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test("vectors of texts in other scripts than Latin are dropped to be made again, and those of callers and of Latin texts stay", async () => {
  const client = await world.client({});
  const { sql } = world.service;
  const store = async (content: string): Promise<string> =>
    (await client.post("/v1/memories", memory({ content }))).body.id;
  const latin = await Promise.all(
    ["a red umbrella", "ein Schlüssel für den „Käfig“ – 5 €", "🎉 𝒙 ①"].map(store),
  );
  const scripts = await Promise.all(
    [
      "กาแฟดำ",
      "Invoice: ใบแจ้งหนี้",
      "旧自行车",
      "도서관",
      "مكتبة",
      "ספרייה",
      "библиотека",
      "ὁδός",
      "विद्यालय",
      "ｉｎｖｏｉｃｅ",
    ].map(store),
  );
  const callers = await store("библиотека, by a caller's vector");
  const idOf = async (ids: readonly string[]) =>
    (
      await sql`select memory_id from memories m join embeddings e on e.memory = m.id where memory_id = any(${[...ids]})`
    ).map((row) => row.memory_id);
  await sql`update embeddings set by_caller = true from memories m where m.id = memory and m.memory_id = ${callers}`;
  expect(await idOf([...latin, ...scripts])).toHaveLength(latin.length + scripts.length);

  await sql`delete from migrations where name = '000021_vectors_of_scripts.sql'`;
  await migrate(sql);
  expect((await idOf([...latin, callers])).sort()).toEqual([...latin, callers].sort());
  expect(await idOf(scripts)).toEqual([]);
});
