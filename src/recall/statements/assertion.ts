import { withoutMarks, writtenWords } from "../language/compared.ts";
import { wordSet } from "../language/word-lists.ts";
import * as english from "../language/words/english.ts";
import * as others from "../language/words/other-languages.ts";
import { isNegation, NUMBER_WORDS } from "./near-equal.ts";
import { type Answer, namesAny, type Question } from "./question.ts";

const DOUBTS = wordSet(english.DOUBTS, ...Object.values(others.DOUBTS));
/** The same in several words. What "is used to" do something does so still. */
const DOUBTING =
  /(?<!\b(?:is|are|was|were|be|been|get|got)) used to |\buntil (?:last|recently|yesterday)\b|\b(?:to be (?:announced|confirmed|decided|defined|determined)|find out|figure out|(?:forget|remember) to|(?:may|could) be)\b/;
const NO_ANSWERS = wordSet(english.NO_ANSWERS, ...Object.values(others.NO_ANSWERS));
/** What comes after these is said besides. */
const BESIDES = /[,;:(]|\b(?:because|since|but|which|who)\b/;
/** "This is not so any more" is no longer, in words. */
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
 * Whether sentences that have all that a question demands state what it asks for: without doubt ("perhaps", "if"); and where it
 * asks for a value, there is one besides the question's own words, of its kind where that is a time or a quantity, and the
 * sentence neither says only what it is not nor asks the same itself ("Nobody knows who …"). Knows English, and of other
 * languages some words of doubt and denial.
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

/** A word or phrase of doubt that the question does not have itself. */
function isDoubted(sentences: readonly string[], words: readonly string[], question: Question): boolean {
  if (words.some((word) => DOUBTS.has(word) && !question.words.includes(word) && !namesAny(question, [word])))
    return true;
  return (
    sentences.some((sentence) => DOUBTING.test(sentence)) && !DOUBTING.test(` ${question.words.join(" ")} `)
  );
}

/** Whether what follows denies what was said before: "No.", "That was wrong." */
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

/** The question's own word of asking before all that it demands: "They asked when the ferry leaves", but not "3:15 is when …". */
function asksItself(words: readonly string[], question: Question): boolean {
  const asked = words.indexOf(question.asksFor as string);
  if (asked < 0 || COPULAS.has(words[asked - 1] ?? "")) return false;
  return !words.slice(0, asked).some((word) => namesAny(question, [word]));
}

/** A time where it asks when, a number where it asks how many; true of every other question. */
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
