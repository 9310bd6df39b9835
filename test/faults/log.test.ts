import { expect, test } from "vitest";
import { described } from "../../src/compose/log.ts";

test("what is logged of a database error holds nothing of what it quotes, on however many lines", () => {
  const content = "my diary,\nof which\nnobody is to read";
  const error = Object.assign(new Error(`invalid input syntax for type uuid: "${content}"`), {
    name: "PostgresError",
    code: "22P02",
  });
  const logged = described(error);
  expect(logged).toMatchObject({ error: "PostgresError", code: "22P02" });
  expect(logged.stack).toEqual(expect.arrayContaining([expect.stringContaining("log.test.ts")]));
  for (const line of content.split("\n")) expect(JSON.stringify(logged)).not.toContain(line);
});
