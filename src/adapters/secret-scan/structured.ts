import type { Finding } from "../../core/secrets/secret-scanner.ts";
import { isPlaceholder, looksRandom } from "./plausible.ts";

const BEGIN = "-----BEGIN ";
const KEY_HEADER = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const KEY_FOOTER = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** A header that is only mentioned is followed by prose; a key has at least half a line of base64. */
const KEY_LINE = /[A-Za-z0-9+/]{32}/;
/** Between header and footer even a short run is a key, if there is nothing else. */
const KEY_ALONE = /^\s*[A-Za-z0-9+/=]{12,}(?:\r?\n[A-Za-z0-9+/=]+)*\s*$/;
const KEY_BODY = /[A-Za-z0-9+/=\s\\:,-]+/y;

/**
 * Private keys in PEM and PGP armour, whole or cut short. Linear: a block ends where the next begins, and each of six
 * expressions goes through it once; the two that look for a line of a key begin anew within 32 characters.
 */
export function privateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let start = text.indexOf(BEGIN); start >= 0; ) {
    // No further than the next header, so that every character is read once.
    const next = text.indexOf(BEGIN, start + 1);
    const block = text.slice(start, next < 0 ? text.length : next);
    const end = endOfKey(block);
    if (end !== null) findings.push({ kind: "private_key", start, end: start + end });
    start = next;
  }
  return findings;
}

function endOfKey(block: string): number | null {
  KEY_HEADER.lastIndex = 0;
  if (!KEY_HEADER.test(block)) return null;
  const from = KEY_HEADER.lastIndex;
  const footer = block.indexOf("-----END ", from);
  KEY_FOOTER.lastIndex = Math.max(0, footer);
  if (footer >= 0 && KEY_FOOTER.test(block)) {
    const between = block.slice(from, footer);
    return KEY_LINE.test(between) || KEY_ALONE.test(between) ? KEY_FOOTER.lastIndex : null;
  }
  KEY_BODY.lastIndex = from;
  const body = KEY_BODY.exec(block)?.[0].trimEnd() ?? "";
  return KEY_LINE.test(body) ? from + body.length : null;
}

const USER_INFO = /:\/\/([^\s:/?#@'"<>`]{0,128}):([^\s/?#'"<>`]{1,256})@/g;

/**
 * Passwords in URLs. Scheme, user and host stay: they are what the memory is about. Linear: no more than 388 characters
 * are read from a `://`, and never as far as the next one, since neither user nor password has a `/` in it.
 */
export function urlPasswords(text: string): Finding[] {
  return [...text.matchAll(USER_INFO)].flatMap((match) => {
    const password = match[2] as string;
    if (isPlaceholder(password)) return [];
    const end = match.index + match[0].length - 1;
    return [{ kind: "password", start: end - password.length, end }];
  });
}

const SCHEME = /(?<![A-Za-z])(bearer|authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token))[ \t]{1,4}/gi;
const CREDENTIALS = /[A-Za-z0-9._~+/=-]{8,}/y;

/**
 * The value after `Bearer`, and after `Authorization: Basic` or `token`. Linear: a value ends before the blank that
 * ends the next
 * scheme, so that no two values share more than the scheme's own letters.
 */
export function authorizationHeaders(text: string): Finding[] {
  return [...text.matchAll(SCHEME)].flatMap((match) => {
    const start = match.index + match[0].length;
    CREDENTIALS.lastIndex = start;
    const value = CREDENTIALS.exec(text)?.[0] ?? "";
    const isBearer = match[1]?.toLowerCase() === "bearer";
    const isSecret = isBearer
      ? looksRandom(value)
      : (/[A-Z]/.test(value) && /[0-9=]/.test(value)) || isEncodedPair(value);
    const kind = isBearer ? "bearer_token" : "authorization";
    return isSecret && !isPlaceholder(value) ? [{ kind, start, end: start + value.length }] : [];
  });
}

/** True if the value is base64 of a user, a colon and a password. */
function isEncodedPair(value: string): boolean {
  const pair = decoded(value);
  return /^[ -~]+$/.test(pair) && pair.slice(0, -1).includes(":");
}

/** Decodes base64 in either alphabet to Latin-1, skipping other characters. */
function decoded(base64: string): string {
  const [letters = ""] = base64.replaceAll("-", "+").replaceAll("_", "/").split("=", 1);
  const digits = letters.replaceAll(/[^A-Za-z0-9+/]/g, "");
  // A digit alone in a group of four is less than a byte.
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
}

const BOT_TOKEN = /(?<![0-9A-Za-z])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g;

/**
 * Tokens of Telegram bots: the only known form without a prefix of its own. Linear: no more than 48 characters are read
 * from a digit that begins a number.
 */
export function telegramTokens(text: string): Finding[] {
  return [...text.matchAll(BOT_TOKEN)].map((match) => ({
    kind: "telegram_token",
    start: match.index,
    end: match.index + match[0].length,
  }));
}
