/** One word for one thing: what the glossary calls an owner is nowhere called a tenant. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pages } from "./support/pages.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string) => readFileSync(join(repository, file), "utf8");

/** What is not said, by the glossary's word for it. */
const INSTEAD: Readonly<Record<string, RegExp>> = {
  Owner: /\btenants?\b/i,
  Memory: /\b(?:memory bank|memory item|memory entry)\b/i,
  "Admin UI": /\badmin (?:panel|console|dashboard)\b/i,
  Credential: /\b(?:access key|secret key)\b/i,
  Todo: /\bto-dos?\b/i,
  Role: /\bpermission level\b/i,
};

const below = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
const readByPeople = [
  "README.md",
  "packages/client/README.md",
  ...pages,
  ...below("src/contract", /\.ts$/),
  ...below("src/cli", /\.ts$/),
  ...below("src/surfaces", /\.ts$/),
  ...below("admin-ui/src", /\.tsx$/),
];

test("nothing that people read uses another word for what the glossary names", () => {
  const wrong = Object.entries(INSTEAD).flatMap(([word, other]) =>
    readByPeople.flatMap((file) => {
      const found = other.exec(read(file));
      return found ? [`${file}: ${word}, not "${found[0]}"`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

test("the glossary is in order, and has each word that stands for others", () => {
  const words = [...read("docs/glossary.md").matchAll(/^## (.+)$/gm)].map(([, word = ""]) => word);
  expect(words).toEqual([...words].sort((a, b) => a.localeCompare(b, "en")));
  for (const word of Object.keys(INSTEAD)) expect(words).toContain(word);
});

test("the concepts lead to the glossary, by words that it has", () => {
  const ids = [...read("docs/glossary.md").matchAll(/^## (.+)$/gm)].map(([, word = ""]) =>
    word.toLowerCase().replaceAll(" ", "-"),
  );
  const linked = [...read("docs/concepts.md").matchAll(/\(glossary\.md#([^)]+)\)/g)].map(([, id = ""]) => id);
  expect(linked.length).toBeGreaterThan(15);
  expect(linked.filter((id) => !ids.includes(id))).toEqual([]);
});
