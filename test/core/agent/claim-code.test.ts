import fc from "fast-check";
import { expect, test } from "vitest";
import { claimCodeOf, plainCode } from "../../../src/core/agent/claim-code.ts";

const seed = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString("hex"));

test("a code is 60 bits of its seed, in groups, without letters that are misread", () => {
  expect(claimCodeOf("0".repeat(64))).toBe("0000-0000-0000");
  expect(claimCodeOf("f".repeat(64))).toBe("ZZZZ-ZZZZ-ZZZZ");
  expect(claimCodeOf(`${"0".repeat(14)}1${"f".repeat(49)}`)).toBe("0000-0000-0001");
  fc.assert(
    fc.property(seed, (hex) => /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/.test(claimCodeOf(hex))),
  );
});

test("however it is spelled, a code is the same", () => {
  const zero = fc.constantFrom("0", "o", "O");
  const one = fc.constantFrom("1", "i", "I", "l", "L");
  const gap = fc.constantFrom("", " ", "-", " – ", "\t");
  fc.assert(
    fc.property(seed, fc.boolean(), zero, one, gap, (hex, isLower, o, l, between) => {
      const plain = claimCodeOf(hex).replaceAll("-", "");
      const cased = isLower ? plain.toLowerCase() : plain;
      const typed = [...cased]
        .map((letter) => (letter === "0" ? o : letter === "1" ? l : letter))
        .join(between);
      expect(plainCode(typed)).toBe(typed.length > 64 ? null : plain);
    }),
  );
});

test("what cannot be a code is none", () => {
  for (const typed of ["", "0000-0000-000", "0000-0000-00000", "0000-0000-000U", "0000-0000-000é"]) {
    expect(plainCode(typed)).toBeNull();
  }
});
