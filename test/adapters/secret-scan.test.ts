import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretScanner } from "../../src/adapters/secret-scan/create-secret-scanner.ts";
import { maskText } from "../../src/core/memory/screen.ts";
import { runs } from "../support/random.ts";
import { githubToken, harmless, jsonWebToken, noise, secretCases } from "../support/secrets.ts";

const scanner = createSecretScanner();
const inBold = (text: string) =>
  text.replace(/[a-zA-Z0-9]/g, (one) => {
    const code = one.charCodeAt(0);
    const [first, bold] = code < 58 ? [48, 0x1d7ce] : code < 91 ? [65, 0x1d400] : [97, 0x1d41a];
    return String.fromCodePoint(bold + code - first);
  });
const masked = (text: string) => maskText(scanner.scan, text).text;

describe.each(secretCases.map((one, index) => ({ ...one, index })))(
  "$index: a $kind in $around",
  ({ kind, around, secret }) => {
    const text = around.replace("{}", () => secret);

    test("is found where it is, and nothing besides", () => {
      const start = around.indexOf("{}");
      expect(scanner.scan(text)).toEqual([{ kind, start, end: start + secret.length }]);
    });

    test("is replaced by its kind, the text around it is not touched, and masking again changes nothing", () => {
      const once = masked(text);
      expect(once).toBe(around.replace("{}", `[secret:${kind}]`));
      expect(masked(once)).toBe(once);
    });

    test("is found in the middle of Chinese, between line breaks of Windows, and with an emoji before it", () => {
      for (const [before, after] of [
        ["我记得这件事。", "。就是这样"],
        ["first\r\n", "\r\nlast"],
        ["👩‍💻 ", " 👍🏽"],
      ]) {
        expect(masked(`${before}${text}${after}`)).not.toContain(secret);
      }
    });
  },
);

test.each(harmless)("nothing is masked in: %s", (sentence) => {
  expect(scanner.scan(sentence)).toEqual([]);
});

test("a secret that characters without width cut in two is found, with them", () => {
  const split = `${githubToken.slice(0, 9)}\u200b${githubToken.slice(9, 20)}\u00ad${githubToken.slice(20)}`;
  expect(masked(`Use\u200b ${split} now`)).toBe("Use\u200b [secret:github_token] now");
});

test("characters without width outside secrets stay", () => {
  const family = "👨\u200d👩\u200d👧 use it\u200b";
  expect(masked(`${family} ${githubToken}`)).toBe(`${family} [secret:github_token]`);
});

test.each([
  ["a separator without width before it", "word\u200b{}"],
  ["a separator without width behind it", "{}\u200bword"],
  ["Cyrillic directly before and behind it", "слова{}а также"],
  ["an accent on its last character", "It is {}\u0301 now"],
])("a secret with %s is found", (_, around) => {
  for (const secret of [githubToken, `AK${"IA"}${noise(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567")}`])
    expect(masked(around.replace("{}", secret))).not.toContain(secret.slice(-10));
});

test.each([
  ["letters of mathematics, each of two code units", (text: string) => inBold(text)],
  [
    "full width",
    (text: string) => text.replace(/\w/g, (one) => String.fromCodePoint(0xfee0 + one.charCodeAt(0))),
  ],
  ["Cyrillic", (text: string) => text.replaceAll("a", "а").replaceAll("p", "р").replaceAll("X", "Х")],
  ["tags", (text: string) => text.replace(/./g, "$&\u{E0041}")],
  ["variation selectors", (text: string) => text.replace(/./g, "$&\u{E0101}")],
  ["accents", (text: string) => text.replace(/./g, "$&\u0336")],
])("a secret disguised by %s is masked from its first code unit to its last", (_, disguise) => {
  for (const [before, after] of [
    ["", ""],
    ["👩‍💻 см. ", " — и всё 👍🏽"],
    ["部署时请使用", "，谢谢"],
  ])
    expect(masked(`${before}${disguise(githubToken)}${after}`)).toBe(
      `${before}[secret:github_token]${after}`,
    );
});

test("the name of a secret may be disguised as well, in a text and as the key of a member", () => {
  expect(masked("раsswоrd: hunter22")).toBe("раsswоrd: [secret:password]");
  expect(masked("ＤＢ＿ＰＡＳＳＷＯＲＤ＝swordfish")).toBe("ＤＢ＿ＰＡＳＳＷＯＲＤ＝[secret:password]");
  expect(scanner.under("pass\u200bwоrd")("hunter22")).toEqual([{ kind: "password", start: 0, end: 8 }]);
  expect(scanner.under("пароль")("hunter22")).toEqual([{ kind: "password", start: 0, end: 8 }]);
});

test("a key of any length that is called one is masked whole", () => {
  expect(masked(`secret_key: ${noise(3000)}, then`)).toBe("secret_key: [secret:api_key], then");
});

test("where two rules find the same place, the more telling one names it", () => {
  expect(masked(`GITHUB_TOKEN=${githubToken}`)).toBe("GITHUB_TOKEN=[secret:github_token]");
  expect(masked(`Authorization: Bearer ${jsonWebToken}`)).toBe("Authorization: Bearer [secret:jwt]");
  expect(masked(`password: "${githubToken}"`)).toBe('password: "[secret:github_token]"');
});

test("several secrets of one text are all replaced", () => {
  expect(masked(`${githubToken}, ${jsonWebToken} and ${githubToken}`)).toBe(
    "[secret:github_token], [secret:jwt] and [secret:github_token]",
  );
});

test.each([
  ["password", "swordfish", "password"],
  ["db_password", "hunter22", "password"],
  ["apiKey", noise(32), "api_key"],
  ["client_secret", noise(24), "api_key"],
])("a value under the name %s is a secret", (name, value, kind) => {
  expect(scanner.under(name)(value)).toEqual([{ kind, start: 0, end: value.length }]);
  expect(scanner.under(name)(`[secret:${kind}]`)).toEqual([]);
});

test.each([
  ["password", "required"],
  ["password_policy", "swordfish"],
  ["api_key", "see the vault"],
  ["token", "semantic"],
  ["secret", "550e8400-e29b-41d4-a716-446655440000"],
  ["author", "hunter22"],
])("under the name %s the value %s is none", (name, value) => {
  expect(scanner.under(name)(value)).toEqual([]);
});

const fragment = fc.oneof(
  fc.constantFrom(...secretCases.map(({ around, secret }) => around.replace("{}", () => secret))),
  fc.constantFrom(...secretCases.map(({ secret }) => secret)),
  fc.constantFrom(...harmless),
  fc.constantFrom(
    "password",
    " is ",
    ": ",
    "=",
    '"',
    "://",
    "@",
    "-----BEGIN ",
    "\u200b",
    "密码是",
    "[secret:",
  ),
  fc.constantFrom("а", "ｐ", "\u0301", "\ufe0f", "\u{e0041}", "𝐚", "é", "－", "：", "\u2069", "пароль: "),
  fc
    .constantFrom(...secretCases.map(({ secret }) => secret))
    .chain((secret) =>
      fc.constantFrom(inBold(secret), secret.replace(/./g, "$&\u0336"), secret.replaceAll("a", "а")),
    ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const anyText = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(""));

test("whatever the text, findings are in order and apart, and what is outside of them stays byte for byte", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const findings = scanner.scan(text);
      let before = 0;
      for (const { start, end, kind } of findings) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(kind).toMatch(/^[a-z0-9_]+$/);
        before = end;
      }
      expect(before).toBeLessThanOrEqual(text.length);
      const outside = [{ end: 0 }, ...findings].map(({ end }, index) =>
        text.slice(end, findings[index]?.start ?? text.length),
      );
      const result = masked(text);
      // The parts outside are found again, in order; in a further round some of them may hold a secret themselves.
      if (maskText(scanner.scan, text).kinds.length === findings.length) {
        const labels = findings.map(({ kind }) => `[secret:${kind}]`);
        expect(result).toBe(outside.map((part, index) => part + (labels[index] ?? "")).join(""));
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("whatever the text, masking it again changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = masked(text);
      expect(masked(once)).toBe(once);
    }),
    { numRuns: runs(2000) },
  );
});
