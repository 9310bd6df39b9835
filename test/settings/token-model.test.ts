import { expect, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";

test("the token model is off unless it is asked for, and by nothing but on", () => {
  expect(readConfig({}).tokenModel).toBe(false);
  expect(readConfig({ TOKEN_MODEL: "on" }).tokenModel).toBe(true);
  const wrong = () => readConfig({ TOKEN_MODEL: "s3cret-value" });
  expect(wrong).toThrow(/^These settings are not valid\. TOKEN_MODEL: /);
  expect(wrong).not.toThrow(/s3cret/);
});
