import type { Finding } from "../../core/secrets/secret-scanner.ts";
import { isLocation, isPlaceholder, looksLikePassword, looksRandom } from "./plausible.ts";

/** The kind of name that announces a secret: `password` of a person, `key` of a machine. */
type NameKind = "password" | "key";

/** Words for a password in the supported languages. */
export const PASSWORD_NAME =
  "passw(?:or)?d|passphrase|passwd|pwd|passwort|kennwort|mot de passe|contraseña|senha|пароль|密码|密碼|口令|パスワード|비밀번호";
const KEY_NAME =
  "(?:api|access|auth|secret|private|client|encryption|signing|master|account|service)[_ -]?(?:access[_ -]?)?(?:key|secret|token)|(?:refresh|bearer|bot|session|deploy|personal[_ -]access|id)[_ -]?token|client[_ -]?secret|secret";

/** The text between name and value. Every repetition is bounded, so that matching a name has a constant cost. */
const LINK =
  /(?:["'`\])]{1,2})?(?<about> (?:for|of|on|to|at|in)(?: [\w.@/'-]{1,40}){1,6}?)?(?<sign>[ \t]{0,3}(?::=|=>|->|=|:|:)[ \t]{0,3}|[ \t]{1,3}(?:is|was|are|ist|lautet|est|es|é|это|to)(?: (?:now|set to|changed to|still))?:?[ \t]{1,3}|\s{0,2}(?:是|为|為|は|이|은|는)\s{0,2}:?)/uy;
const QUOTED = /(["'`])([^\s"'`]{4,256})\1/y;
const VALUE_MAX = 256;
const BARE = new RegExp(`[!-~]{4,${VALUE_MAX}}`, "y");
/** A value is judged by this many of its first characters. */
const JUDGED = 128;
const KEY_CHARACTERS = /^[\w+/=.~:-]+$/;
const REST_OF_KEY = /[\w+/=.~:-]*/y;

/** Finds the values of passwords and keys by their names. */
export interface AssignmentReader {
  /**
   * The values of passwords and keys that are named in prose, code, settings and URLs. Linear: names do not overlap,
   * and what follows one is read for at most 560 characters, link and value. A key may be longer, and is then masked
   * completely; the search continues after it.
   */
  assignedSecrets(text: string): Finding[];
  /** Returns the whole text if its name says that it is a secret. */
  secretByName(text: string, name: string): Finding[];
}

/** Creates a reader that recognises passwords by these names, each a regular expression. */
export function assignmentReader(passwordNames: readonly string[]): AssignmentReader {
  const names = `(?<password>${passwordNames.join("|")})|(?<key>${KEY_NAME})`;
  const anywhere = new RegExp(names, "giu");
  const atEnd = new RegExp(`(?:${names})[\\d_]{0,3}$`, "iu");
  return {
    assignedSecrets: (text) => assignedSecrets(text, anywhere),
    secretByName: (text, name) => secretByName(text, name, atEnd),
  };
}

function assignedSecrets(text: string, names: RegExp): Finding[] {
  const findings: Finding[] = [];
  names.lastIndex = 0;
  for (let match = names.exec(text); match; match = names.exec(text)) {
    const kind = match.groups?.password ? "password" : "key";
    const value = valueAfter(text, match.index, names.lastIndex, kind);
    if (!value) continue;
    findings.push(value);
    if (kind === "key") names.lastIndex = Math.max(names.lastIndex, value.end);
  }
  return findings;
}

function valueAfter(text: string, nameStart: number, nameEnd: number, kind: NameKind): Finding | null {
  LINK.lastIndex = nameEnd;
  const link = LINK.exec(text);
  const from = link ? LINK.lastIndex : afterOption(text, nameStart, nameEnd);
  if (from === null) return null;
  QUOTED.lastIndex = from;
  const quoted = QUOTED.exec(text)?.[2];
  if (quoted !== undefined) {
    const isValue =
      kind === "key" ? isSecret(quoted, kind, false) : quoted.length >= 6 && !isPlaceholder(quoted);
    return isValue ? { kind: findingKind(kind), start: from + 1, end: from + 1 + quoted.length } : null;
  }
  BARE.lastIndex = from;
  const sign = link?.groups?.sign ?? " ";
  const run = BARE.exec(text)?.[0] ?? "";
  const value = trimmed(run, sign);
  const isSetting = sign === "=" && /[A-Z]/.test(text[nameEnd - 1] as string);
  if (!isSecret(value.slice(0, JUDGED), kind, isSetting)) return null;
  const end = from + value.length;
  REST_OF_KEY.lastIndex = end;
  const rest = kind === "key" && value.length === VALUE_MAX ? (REST_OF_KEY.exec(text)?.[0] ?? "") : "";
  return { kind: findingKind(kind), start: from, end: end + rest.length };
}

/** `--password hunter2!`: only a space between name and value. */
function afterOption(text: string, nameStart: number, nameEnd: number): number | null {
  const isOption = /--[a-z-]{0,24}$/.test(text.slice(Math.max(0, nameStart - 26), nameStart));
  return isOption && text[nameEnd] === " " ? nameEnd + 1 : null;
}

/** Trims punctuation that ends the sentence or list member containing the value. */
function trimmed(run: string, sign: string): string {
  const member = sign === "=" ? (run.split(/[&;,]/)[0] as string) : run;
  return member.replace(/[.,;:)\]}>"'`]{1,8}$/, "");
}

/** In a settings file (`DB_PASSWORD=swordfish`) any word is a value; elsewhere it must look like a secret. */
function isSecret(value: string, kind: NameKind, isSetting: boolean): boolean {
  if (kind === "key") return KEY_CHARACTERS.test(value) && looksRandom(value);
  return isSetting
    ? value.length >= 4 && !isPlaceholder(value) && !isLocation(value)
    : looksLikePassword(value);
}

function secretByName(text: string, name: string, names: RegExp): Finding[] {
  const match = names.exec(name.slice(-64));
  if (!match || !/^\S{4,4096}$/.test(text)) return [];
  const kind = match.groups?.password ? "password" : "key";
  return isSecret(text, kind, true) ? [{ kind: findingKind(kind), start: 0, end: text.length }] : [];
}

function findingKind(kind: NameKind): string {
  return kind === "password" ? "password" : "api_key";
}
