/** docs/settings.md has every setting there is, and no other, with the default that it has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { secretSettings, settingDefaults, settingNames } from "../../src/compose/config.ts";

const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([A-Z_]+)`( †)? \| (.+?) \| (.+) \|$/gm)].map(
  ([, name = "", secret, fallback = ""]) => ({ name, isSecret: secret !== undefined, fallback }),
);

test("it has every setting, and no other", () => {
  const files = new Set(secretSettings.map((name) => `${name}_FILE`));
  expect(rows.map(({ name }) => name).sort()).toEqual(settingNames.filter((name) => !files.has(name)).sort());
});

test("it says of each whether it is a secret", () => {
  const marked = rows.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  expect(marked.sort()).toEqual([...secretSettings].sort());
});

test("its defaults are those of the service", () => {
  const stated = Object.fromEntries(rows.map(({ name, fallback }) => [name, fallback]));
  for (const [name, fallback] of Object.entries(settingDefaults()))
    expect({ name, fallback: stated[name] }).toEqual({ name, fallback: `\`${fallback}\`` });
});
