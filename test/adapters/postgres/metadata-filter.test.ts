/** The record and `metadata-filter.ts` read every filter on metadata alike. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../../src/adapters/postgres/database/client.ts";
import { createMemoryStore } from "../../../src/adapters/postgres/memory/memory-store.ts";
import { everyLiveMemory } from "../../../src/core/memory/memory-filter.ts";
import { equalsAsked, heldIn } from "../../../src/core/memory/metadata-filter.ts";
import { createDatabase } from "../../support/own-database.ts";
import { runs } from "../../support/random.ts";
import { caller, OWNER } from "./whole-caller.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Sql;
beforeAll(async () => {
  database = await createDatabase();
  sql = connect(database.address, 1);
  await sql`insert into owners (id, kind, name) values (${OWNER}, 'user', 'alice')`;
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

/** Few names, so that they meet: some with dots, or with what jsonpath reads as more than a letter. */
const someName = fc.constantFrom(
  "a",
  "b",
  "a.b",
  "a.a",
  "b.a.b",
  "",
  ".",
  "0",
  '"',
  "\\",
  "$",
  "*",
  "a\nb",
  "ä",
);
const someText = fc.constantFrom(
  "a",
  "ä",
  "a\u0308",
  "12",
  "12.0",
  "1.2e1",
  "true",
  "null",
  "",
  " 12",
  '"a"',
);
const someLiteral = fc.constantFrom<(string | number | boolean | null)[]>(
  12,
  0,
  -0.5,
  1e300,
  true,
  false,
  null,
);
const someJson = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    someText,
    someLiteral,
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(someName, tie("value"), { maxKeys: 3 }),
}));
/** Mostly what one of the memories has, so that some match. */
const someAsked = (metadata: Record<string, unknown>) => {
  const held = pathsOf(metadata).flatMap((name) =>
    heldIn(metadata, name).map((value) => ({ name, value: asAsked(value) })),
  );
  const anything = fc.record({ name: someName, value: fc.oneof(someText, someLiteral) });
  return held.length === 0
    ? anything
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...held) }, anything);
};

function asAsked(value: unknown): string | number | boolean | null {
  if (typeof value === "string") return value.normalize("NFC");
  return typeof value === "object" && value !== null
    ? JSON.stringify(value)
    : (value as number | boolean | null);
}

function pathsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(pathsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => [
    name,
    ...pathsOf(held).map((rest) => `${name}.${rest}`),
  ]);
}

test("whatever is stored, and whatever is asked for", { timeout: 120_000 }, async () => {
  const store = createMemoryStore(sql);
  let matched = 0;
  let asked = 0;
  const stored = fc
    .array(someJson.object, { minLength: 5, maxLength: 5 })
    .chain((all) =>
      fc.tuple(fc.constant(all), fc.array(fc.oneof(...all.map(someAsked)), { minLength: 8, maxLength: 8 })),
    );
  await fc.assert(
    fc.asyncProperty(stored, async ([memories, questions]) => {
      await sql`delete from memories`;
      const ids: string[] = [];
      for (const metadata of memories) {
        const [row] = await sql`
          insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
            content, version, importance, confidence, metadata, provenance, created_at, updated_at)
          select id, ${OWNER}, id, ${OWNER}, ${OWNER}, 'private', 'p', 'public', 'semantic', 'active', 'x', 1, 0.5, 1,
            ${metadata as never}::jsonb, '{}', now(), now() from (select gen_random_uuid() as id) made returning id`;
        ids.push(row?.id as string);
      }
      for (const { name, value } of questions) {
        const expected = ids.filter((_, at) =>
          heldIn(memories[at] as Record<string, unknown>, name).some((held) => equalsAsked(held, value)),
        );
        const filter = { ...everyLiveMemory(Date.now() + 60_000), metadata: { [name]: value } };
        expect((await store.matchingIds(caller, filter)).sort()).toEqual(expected.sort());
        asked++;
        if (expected.length > 0) matched++;
      }
    }),
    { numRuns: runs(300), endOnFailure: true },
  );
  expect(matched).toBeGreaterThan(asked / 4);
});
