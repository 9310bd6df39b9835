/** Secrets come from files as well, as Docker and Kubernetes give them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { misspeltSettings, readConfig, secretSettings, settingNames } from "../../src/compose/config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recollect-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function file(text: string): string {
  const path = join(folder, `secret-${text.length}`);
  writeFileSync(path, text);
  return path;
}

const KEY = "a-bootstrap-key-of-more-than-thirty-two-characters";

test("every setting that holds a credential is a secret, by its name", () => {
  const looksLikeOne = settingNames.filter((name) =>
    /(?:_KEY|_PASSWORD|_SECRET|_TOKEN|_HEADERS|DATABASE_URL)$/.test(name),
  );
  expect([...secretSettings].sort()).toEqual(looksLikeOne.sort());
});

test("the value is that of the file, without the line break at its end", () => {
  const url = "postgres://me:hidden@db.example/recollect";
  const config = readConfig({
    DATABASE_URL_FILE: file(`${url}\n`),
    BOOTSTRAP_API_KEY_FILE: file(`${KEY}\r\n`),
    DATABASE_URL: "",
  });
  expect([config.databaseUrl, config.bootstrapApiKey]).toEqual([url, KEY]);
});

test.each(secretSettings.map((name) => [name]))(
  "%s is read from %s_FILE, and from one of the two alone",
  (name) => {
    expect(() => readConfig({ [name]: "x", [`${name}_FILE`]: file("y") })).toThrow(
      `${name} and ${name}_FILE are both set: keep only one of them.`,
    );
    expect(() => readConfig({ [`${name}_FILE`]: join(folder, "none") })).toThrow(
      `${name}_FILE: this file cannot be read.`,
    );
    expect(() => readConfig({ [`${name}_FILE`]: file("\n") })).toThrow(`${name}_FILE: this file is empty.`);
    expect(() => readConfig({ [`${name}_FILE`]: file("x".repeat(65_537)) })).toThrow("larger than 64 KiB");
    expect(misspeltSettings({ [`${name}_FIL`]: "x" })).toEqual([
      `${name}_FIL is not a setting and has no effect: did you mean ${name}_FILE?`,
    ]);
  },
);

test("a value from a file is no part of the error that refuses it", () => {
  const path = file("too short for a key");
  expect(() => readConfig({ BOOTSTRAP_API_KEY_FILE: path })).toThrow(
    /^(?!.*too short for a key).*BOOTSTRAP_API_KEY/,
  );
});
