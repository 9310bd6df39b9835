import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";

const FORMER = new URL(
  "../../src/adapters/postgres/database/migrations/000020_bare_words.sql",
  import.meta.url,
);

test("the quicker comparison of words gives every text the number that is in the index already", async () => {
  const world = await openWorld();
  try {
    const { sql } = world.service;
    const [, former] = /^create function bare_words(\(.*?;)$/ms.exec(readFileSync(FORMER, "utf8")) ?? [];
    await sql.unsafe(`create function former_bare_words${former}`);
    const signs = [..." \t\n\r\f\u000b\u0085\u00a0\u2003\u200b\ufeff.,!…。｡！\"'“”«»‹›-‐–—−﹘\\^]["];
    const letters = [..."aZÄßẞİıéЖ旧🎉ſK①"];
    const texts = [
      "",
      ...signs,
      ...letters,
      ...signs.map((sign) => `A${sign}b`),
      ...signs.flatMap((sign) => letters.map((letter) => `${letter}${sign}.x`)),
    ];
    const [row] = await sql`
      select count(*)::int as count,
        count(*) filter (where bare_words('p', text) is distinct from former_bare_words('p', text))::int as different
      from unnest(${texts}::text[]) as t (text)`;
    expect(row).toEqual({ count: texts.length, different: 0 });
  } finally {
    await world.close();
  }
});
