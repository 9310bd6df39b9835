import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";

const SIGNS = [
  ..." \t\n\r\f\u000b\u0085\u00a0\u2003\u200b\ufeff.,!…。｡！\"'“”«»‹›-‐–—−﹘﹣_/:@<>&#+=~%?|\\*()[]{}^$;`",
];
const LETTERS = [..."aZÄßẞİıéЖ旧🎉ſK①"];
const TEXTS = [
  "",
  ...SIGNS,
  ...LETTERS,
  ...SIGNS.map((sign) => `A${sign}b`),
  ...SIGNS.map((sign) => `Deploys${sign}${sign}  ${sign}running`),
  ...SIGNS.flatMap((sign) => LETTERS.map((letter) => `${letter}${sign}.x`)),
];

/** The rest of the statement that made the function at first. */
function formerly(migration: string, name: string): string {
  const file = new URL(`../../src/adapters/postgres/database/migrations/${migration}.sql`, import.meta.url);
  const [, former] =
    new RegExp(`^create function ${name}(\\(.*?;)$`, "ms").exec(readFileSync(file, "utf8")) ?? [];
  return former as string;
}

test("the quicker functions of words make of every text what is in the indexes already", async () => {
  const world = await openWorld();
  try {
    const { sql } = world.service;
    await sql.unsafe(`create function former_bare_words${formerly("000020_bare_words", "bare_words")}`);
    await sql.unsafe(`create function former_memory_words${formerly("000001_init", "memory_words")}`);
    const [row] = await sql`
      select count(*)::int as count,
        count(*) filter (where bare_words('p', text) is distinct from former_bare_words('p', text))::int as bare,
        count(*) filter (where memory_words(text) is distinct from former_memory_words(text))::int as words
      from unnest(${TEXTS}::text[]) as t (text)`;
    expect(row).toEqual({ count: TEXTS.length, bare: 0, words: 0 });
  } finally {
    await world.close();
  }
});
