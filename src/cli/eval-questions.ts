import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type EvalSet, evalAsked } from "../contract/eval.ts";
import { publicId } from "../contract/primitives.ts";
import { canonicalJson } from "../core/input/json.ts";
import { inPlainWords } from "../core/input/plain-words.ts";
import { CommandFailure } from "./failure.ts";

const ids = z.array(publicId).max(1000);

/** The ids that a question is judged by. */
export const judgements = z.object({ relevant: ids, stale: ids.default([]), forbidden: ids.default([]) });

/** A line of the file: the members that a search and a context share, and the ids that it is judged by. */
const questionLine = evalAsked.extend(judgements.shape).strict();

/** Members that the help of the command explains one by one. */
const EXPLAINED: readonly string[] = ["query", "session_id", ...Object.keys(judgements.shape)];

/** The filters and times that a question may have, as a search has them. */
export const FILTERS_AND_TIMES: readonly string[] = Object.keys(questionLine.shape).filter(
  (member) => !EXPLAINED.includes(member),
);

export interface Question extends z.output<typeof judgements> {
  readonly line: number;
  /** The query and its filters as the file has them. The server applies its own defaults. */
  readonly asked: Readonly<Record<string, unknown>>;
}

const FAULTS_SHOWN = 10;

/** Reads the questions of a file. `CommandFailure` with the number of each bad line. */
export async function readQuestions(file: string): Promise<Question[]> {
  const questions: Question[] = [];
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  for (const [at, text] of (await readUtf8(file)).split("\n").entries()) {
    if (text.trim() === "") continue;
    const line = at + 1;
    const question = readQuestion(text, line);
    if (typeof question === "string") {
      faults.push(`${file}, line ${line}: ${question}.`);
      continue;
    }
    const identity = identityOf(question);
    const earlier = lineOf.get(identity);
    if (earlier !== undefined) faults.push(`${file}, line ${line}: asks the same as line ${earlier}.`);
    lineOf.set(identity, line);
    questions.push(question);
  }
  if (faults.length > FAULTS_SHOWN)
    faults.splice(FAULTS_SHOWN, faults.length, `and ${faults.length - FAULTS_SHOWN} more.`);
  if (faults.length > 0) throw new CommandFailure(faults.join("\n"));
  if (questions.length === 0)
    throw new CommandFailure(`${file} has no questions: write one JSON object a line.`);
  return questions;
}

/** The questions of a stored set, numbered as lines. */
export function questionsOf({ questions }: EvalSet): Question[] {
  return questions.map(({ asked, relevant, stale }, at) => ({
    line: at + 1,
    asked,
    relevant,
    stale,
    forbidden: [],
  }));
}

/** Reads a text file. A byte order mark is dropped. */
export async function readUtf8(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    // Reading a folder fails without its path.
    throw error.code === "EISDIR" ? Object.assign(error, { path: file }) : error;
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${file} is not UTF-8 text.`);
  }
}

/** The same text for questions that ask the same. */
export const identityOf = ({ asked }: Pick<Question, "asked">) => canonicalJson(asked);

/** A question, or the reason why the line is none. */
function readQuestion(text: string, line: number): Question | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not JSON, or is cut short";
  }
  const parsed = questionLine.safeParse(value, inPlainWords);
  if (!parsed.success)
    return parsed.error.issues
      .slice(0, 5)
      .map((issue) =>
        issue.code === "unrecognized_keys"
          ? `has members that a question cannot have: ${issue.keys.slice(0, 5).join(", ")}`
          : [issue.path.join("."), issue.message].filter(Boolean).join(" "),
      )
      .join("; ");
  const { relevant, stale, forbidden } = parsed.data;
  if (relevant.length + stale.length + forbidden.length === 0)
    return "needs at least one id in relevant, stale or forbidden";
  const all = [...relevant, ...stale, ...forbidden];
  const twice = all.find((id, at) => all.indexOf(id) !== at);
  if (twice !== undefined) return `names ${twice} twice in relevant, stale and forbidden`;
  const { relevant: _, stale: __, forbidden: ___, ...asked } = value as Record<string, unknown>;
  return { line, asked, relevant, stale, forbidden };
}
