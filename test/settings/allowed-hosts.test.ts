import { expect, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";

test("the service goes by the names that are listed, and by the one it listens at", () => {
  const { allowedHosts } = readConfig({
    ALLOWED_HOSTS: "Recollect, *.internal.example,a_b",
    HOST: "localhost",
  });
  expect(allowedHosts).toEqual(["recollect", "*.internal.example", "a_b", "localhost"]);
});

test.each(["recollect:8787", "http://recollect", "*", "*.", "a.*.b", "a b", ".example", "a,,b", "caf\u00e9"])(
  "%j in the list stops the start and is not repeated",
  (value) => {
    const start = () => readConfig({ ALLOWED_HOSTS: value });
    expect(start).toThrow(/ALLOWED_HOSTS/);
    expect(start).not.toThrow(value);
  },
);
