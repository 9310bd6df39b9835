import { withoutMarks, writtenWords } from "../language/compared.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";
import { isNegation, NUMBER_WORDS } from "./near-equal.ts";
import { type Answer, namesAny, type Question } from "./question.ts";

const DOUBTS = wordSet(english.DOUBTS, ...Object.values(others.DOUBTS));
/** Doubts expressed in several words. Something that "is used to" do a thing still does it. */
const DOUBTING =
  /(?<!\b(?:is|are|was|were|be|been|get|got)) used to |\buntil (?:last|recently|yesterday)\b|\b(?:to be (?:announced|confirmed|decided|defined|determined)|find out|figure out|(?:forget|remember) to|(?:may|could) be)\b/;
const NO_ANSWERS = wordSet(english.NO_ANSWERS, ...Object.values(others.NO_ANSWERS));
/** Anything after one of these is a side remark. */
const BESIDES = /[,;:(]|\b(?:because|since|but|which|who)\b/;
/** Maximum length, in words, of a retraction such as "This is not so any more". */
const TAKING_BACK_MAX = 8;
const UNTRUE = /(?: not|n't) (?:true|so|right|correct|valid|current)\b/;
const COPULAS = wordSet(english.COPULAS);
const WEEKDAYS = [...wordSet(english.WEEKDAYS)];
const TIMES = wordSet(english.MONTHS, ...WEEKDAYS, ...WEEKDAYS.map((day) => `${day}s`), english.TIMES);
const AT_THE_TIME = wordSet(english.AT_THE_TIME);
const QUANTITIES = wordSet(english.QUANTITIES);
const MEASURED = wordSet(english.MEASURED);
const MEASURED_IN_TIME = wordSet(english.MEASURED_IN_TIME);

/**
 * Whether sentences that meet all demands of a question state what it asks for, without doubt ("perhaps", "if"). If the
 * question asks for a value, the sentences must contain one besides the question's own words. It must be a time or a
 * quantity if the question asks for one. The sentence must not say only what the value is not, nor ask the same itself
 * ("Nobody knows who …"). Supports English, and some words of doubt and denial in other languages.
 */
export function asserts({ sentences, told, next }: Answer, question: Question): boolean {
  const said = sentences.map(wordsOf);
  const words = said.flat();
  if (isDoubted(sentences, words, question) || (next !== null && takesBack(next))) return false;
  if (question.asksFor === null) return true;
  if (sentences.some((sentence) => isDenied(sentence, question))) return false;
  if (said.some((words) => asksItself(words, question))) return false;
  if (told.length === 0 && !question.words.includes("or")) return false;
  return hasKindOf(words, question);
}

function wordsOf(sentence: string): string[] {
  return writtenWords(sentence.toLowerCase()).map(withoutMarks);
}

/** Whether a word or phrase of doubt occurs that the question does not contain itself. */
function isDoubted(sentences: readonly string[], words: readonly string[], question: Question): boolean {
  if (words.some((word) => DOUBTS.has(word) && !question.words.includes(word) && !namesAny(question, [word])))
    return true;
  return (
    sentences.some((sentence) => DOUBTING.test(sentence)) && !DOUBTING.test(` ${question.words.join(" ")} `)
  );
}

/** Whether the next sentence retracts the previous one: "No.", "That was wrong." */
function takesBack(sentence: string): boolean {
  const words = wordsOf(sentence);
  if (words.length === 1) return words.some(isNegation);
  const isAboutIt = words.length <= TAKING_BACK_MAX && /^(?:that|this|it|which) /.test(sentence);
  return isAboutIt && (UNTRUE.test(sentence) || words.some((word) => DOUBTS.has(word)));
}

function isDenied(sentence: string, { words }: Question): boolean {
  if (words.some(isNegation)) return false;
  const [first = ""] = sentence.replaceAll("no longer", "no-longer").split(BESIDES, 1);
  return first.split(" ").some((word) => NO_ANSWERS.has(word) || word.endsWith("n't"));
}

/**
 * Whether the question's interrogative precedes everything it demands: "They asked when the ferry leaves", but not
 * "3:15 is when …".
 */
function asksItself(words: readonly string[], question: Question): boolean {
  const asked = words.indexOf(question.asksFor as string);
  if (asked < 0 || COPULAS.has(words[asked - 1] ?? "")) return false;
  return !words.slice(0, asked).some((word) => namesAny(question, [word]));
}

/**
 * Whether there is a time if the question asks when, or a number if it asks how many. True for every other question.
 */
function hasKindOf(words: readonly string[], { words: asked, asksFor }: Question): boolean {
  const besides = words.filter((word) => !asked.includes(word));
  const isNumber = (word: string) => /\p{N}/u.test(word) || NUMBER_WORDS.has(word) || QUANTITIES.has(word);
  const isTime = (word: string) => isNumber(word) || TIMES.has(word);
  if (asksFor === "when") return besides.some(isTime) || words.some((word) => AT_THE_TIME.has(word));
  const measured = asksFor === "how" ? (asked[asked.indexOf("how") + 1] ?? "") : "";
  if (MEASURED.has(measured)) return besides.some(isNumber);
  return (
    !MEASURED_IN_TIME.has(measured) || besides.some(isTime) || words.some((word) => AT_THE_TIME.has(word))
  );
}
