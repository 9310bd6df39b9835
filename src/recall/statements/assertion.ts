import { isNegation, NUMBER_WORDS, withoutMarks } from "./near-equal.ts";
import { type Answer, namesAny, type Question } from "./question.ts";

const listOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Who says so is not sure, only supposes it, or says that it is not so, or not known. */
const DOUBTS = listOf(`
  maybe perhaps probably possibly might unclear unsure unknown unspecified undefined undecided uncertain allegedly supposedly apparently
  reportedly presumably hopefully false untrue wrong incorrect outdated obsolete formerly previously tbd tba tbc todo placeholder
  hypothetical hypothetically guess guessed think thought believe believed assume assumed suppose imagine rumour rumours rumor rumors
  claim claims claimed doubt doubts if unless whether would somebody someone something somewhere sometime
  whoever whatever whichever wherever whenever wonder wonders wondered deny denies denied
  vielleicht vermutlich wahrscheinlich angeblich möglicherweise unbekannt unklar falls peut-être probablement quizás probablemente
  forse probabilmente talvez возможно наверное вероятно
`);
/** The same in several words. What "is used to" do something does so still. */
const DOUBTING =
  /(?<!\b(?:is|are|was|were|be|been|get|got)) used to |\buntil (?:last|recently|yesterday)\b|\b(?:to be (?:announced|confirmed|decided|defined|determined)|find out|figure out|(?:forget|remember) to|(?:may|could) be)\b/;
/** No answer to a question for a value, of which they say what it is not. "Nobody" and "no" may be one. */
const DENYING = listOf(
  "not never no-longer cannot hardly barely scarcely rarely seldom nicht nie niemals pas jamais nunca не нет",
);
/** What comes after these is said besides. */
const BESIDES = /[,;:(]|\b(?:because|since|but|which|who)\b/;
/** "This is not so any more" is no longer, in words. */
const TAKING_BACK_MAX = 8;
const UNTRUE = /(?: not|n't) (?:true|so|right|correct|valid|current)\b/;
const COPULAS = listOf("is are was were");
const OF_TIME = listOf(`
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
  today tomorrow yesterday tonight now noon midday midnight dawn dusk sunrise sunset morning mornings afternoon afternoons evening
  evenings night nights spring summer autumn fall winter season easter christmas holiday holidays weekend weekends weekday weekdays
  day days daily week weeks weekly month months monthly quarter quarterly year years yearly annually hour hours hourly minute minutes
  second seconds always every once twice first last next immediately ago during since recently
`);
/** Something happens at the time of something else. */
const AT_THE_TIME = listOf("when whenever after before until till while once upon");
const QUANTITIES = listOf(
  "one no none zero half dozen dozens hundred hundreds thousand thousands million millions billion several couple pair all both nothing",
);
const MEASURED = listOf("many much old far tall high big large wide deep fast heavy");
const MEASURED_IN_TIME = listOf("long often soon");

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
  return sentence.toLowerCase().split(" ").map(withoutMarks);
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
  return first.split(" ").some((word) => DENYING.has(word) || word.endsWith("n't"));
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
  const isTime = (word: string) => isNumber(word) || OF_TIME.has(word);
  if (asksFor === "when") return besides.some(isTime) || words.some((word) => AT_THE_TIME.has(word));
  const measured = asksFor === "how" ? (asked[asked.indexOf("how") + 1] ?? "") : "";
  if (MEASURED.has(measured)) return besides.some(isNumber);
  return (
    !MEASURED_IN_TIME.has(measured) || besides.some(isTime) || words.some((word) => AT_THE_TIME.has(word))
  );
}
