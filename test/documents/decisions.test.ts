/** Decisions have one form, and an index: after a new one, `npx vitest run test/documents/decisions.test.ts -u` writes it. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../docs/decisions/", import.meta.url);
const decisions = readdirSync(folder)
  .filter((name) => /^\d{4}-.+\.md$/.test(name))
  .sort();
const titleOf = (name: string) => /^# (\d+\. .+)$/m.exec(readFileSync(new URL(name, folder), "utf8"))?.[1];

test.each(decisions)("%s begins with its own number", (name) => {
  expect(titleOf(name)).toMatch(new RegExp(`^${Number(name.slice(0, 4))}\\. `));
});

test("the index has every decision, by its title", async () => {
  const lines = decisions.map((name) => `- [${titleOf(name)}](${name})`);
  const index = `# Decisions

Choices that somebody will question later: the context, the choice and its consequence. A page says so if a later one
changes it.

${lines.join("\n")}
`;
  await expect(index).toMatchFileSnapshot("../../docs/decisions/README.md");
});
