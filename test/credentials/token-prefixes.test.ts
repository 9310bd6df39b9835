import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

test("the beginnings of tokens are written in one place, from which they are issued, recognised and masked", () => {
  const spelling = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && /["'`]rcl_/.test(readFileSync(join(source, name), "utf8")));
  expect(spelling).toEqual(["core/access/token-prefixes.ts"]);
});
