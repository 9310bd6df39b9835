import { normalForm } from "../../../recall/language/normal-form.ts";
/** Writes graphs as sentences. Names stay as they are; the words of relations and kinds are separated. */

/** `worksAt`, `works_at` and `WORKS-AT` as words: "works at". */
export function asWords(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())
    .join(" ");
}

/** "Alice works at TechCorp." */
export function relationSentence(from: string, relation: string, to: string): string {
  return ended(`${from} ${asWords(relation) || "is related to"} ${to}`);
}

/** "Alice is a person." */
export function kindSentence(name: string, kind: string): string {
  const words = asWords(kind);
  return ended(`${name} is ${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`);
}

/** A statement with its subject's name: "Alice: likes tea". Unchanged if it already contains the name. */
export function about(name: string, text: string): string {
  return names(text, name) ? text : `${name}: ${text}`;
}

/** True if the text contains the words of the name one after the other. */
function names(text: string, name: string): boolean {
  const wanted = words(name);
  return wanted.trim() === "" || words(text).includes(wanted);
}

function words(text: string): string {
  const found =
    normalForm(text, "NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${found.join(" ")} `;
}

function ended(sentence: string): string {
  return /[.!?。！？]$/.test(sentence) ? sentence : `${sentence}.`;
}
