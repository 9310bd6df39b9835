import { type Command, Option } from "@commander-js/extra-typings";
import { printable, printableJson } from "../compose/printable.ts";
import { path } from "../compose/setting-kinds.ts";
import type { EvalSet } from "../contract/eval.ts";
import { scoresOf } from "../contract/eval-scores.ts";
import type { ContextAnswer, SearchAnswer } from "../contract/recall.ts";
import { inPlainWords } from "../core/input/plain-words.ts";
import {
  type ChangedQuestion,
  compare,
  evalReport,
  type Figures,
  figuresOf,
  type QuestionResult,
} from "./eval-figures.ts";
import { FILTERS_AND_TIMES, type Question, questionsOf, readQuestions, readUtf8 } from "./eval-questions.ts";
import { requireRoomFor, writeWhole } from "./export.ts";
import { CommandFailure } from "./failure.ts";
import { checked, jsonOption, value } from "./options.ts";
import { type Destination, destinationOf, request, ServerRefusal } from "./server-request.ts";
import { count, createProgress, figure, interruptible, print, printJson, say, table } from "./terminal.ts";

const HELP_WIDTH = 79;

export function addEval(program: Command): void {
  program
    .command("eval")
    .description("Measure recall on your own memories and questions")
    .argument("[FILE]", "The questions, one JSON object a line", checked(path))
    .option(
      "--set <NAME>",
      "Ask the questions of this evaluation set of the server",
      value((text) => text),
    )
    .option(
      "--team <ID>",
      "With --set: a set of this team",
      value((text) => text),
    )
    .addOption(
      new Option("--server <URL>", "The server to ask, with the key in RECOLLECT_API_KEY")
        .argParser(value((text) => text))
        .default("http://127.0.0.1:8787"),
    )
    .option("--out <REPORT>", "Write a report with the result of each question", value(checked(path)))
    .option("--against <REPORT>", "Compare with an earlier report", value(checked(path)))
    .option("--force", "Replace the report of --out if there is one")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Each line of FILE is a question with the ids of the memories it is judged by:
  query       the question (required)
  relevant    memories that answer it (required; may be empty)
  stale       outdated memories, which must not come before a relevant one
  forbidden   memories that this key must never see
It may also have session_id, which is sent as X-Session-Id, and the filters and
times of a search:
${program.createHelp().boxWrap(FILTERS_AND_TIMES.join(", "), HELP_WIDTH)}

The recall lab of the admin UI puts sets together; --set asks their questions as
far as the key may read all of their memories.

Each question is asked twice: as a search with limit 20, and as a context pack
with the default budget. No language model judges the answers. The key needs
only the scope memory:read, and nothing is stored.

  recall@5, recall@10  share of the relevant memories in the first 5 or 10
  any@10               questions with a relevant memory in the first 10
  MRR                  mean of 1 / the place of the first relevant memory
  relevant in pack     share of the relevant memories in the pack
  stale answers        a stale memory comes before every relevant one, or is in
                       a pack without one
  leaks                forbidden memories in a search or a pack
Relevant ids that the key cannot read are reported, and count as not found.
Times are for information: they include waiting for the rate limit.

--against compares the questions that both runs have with the same ids, and
lists those that got better or worse. Give asked_at in questions about relative
dates, so that later runs ask the same.

With --json it prints {figures, results}, and with --against also {before,
after, changed}. The exit status is 1 if there was a leak.

Examples:
  recollect eval questions.jsonl --out before.json
  recollect eval questions.jsonl --against before.json
  recollect eval --set "Staging questions" --out before.json
  {"query": "Who has the spare key?", "relevant": ["mem_1"], "stale": ["mem_0"]}`,
    )
    .action(async (file, options, command) => {
      const refuse = (text: string) => command.error(text);
      if ((file === undefined) === (options.set === undefined))
        refuse("error: give either FILE or --set, and not both");
      const server = destinationOf(options.server, options.team, refuse);
      const questions =
        file === undefined ? await readSet(server, options.set as string) : await readQuestions(file);
      const earlier = options.against === undefined ? null : await readReport(options.against);
      if (options.out !== undefined) await requireRoomFor(options.out, options.force === true);
      const results = await interruptible((signal) => askAll(server, questions, signal));
      const report = {
        recollect_eval: 1,
        created_at: new Date().toISOString(),
        figures: figuresOf(results),
        results: results.map((result) => ({ ...result, scores: scoresOf(result) })),
      };
      if (options.out !== undefined)
        await writeWhole(options.out, (write) => write(`${printableJson(report)}\n`));
      const comparison = earlier && compare(earlier, results);
      if (comparison?.after.length === 0)
        say(`${options.against} has none of these questions with the same ids: nothing was compared.`);
      const compared = comparison?.after.length
        ? {
            before: figuresOf(comparison.before),
            after: figuresOf(comparison.after),
            changed: comparison.changed,
          }
        : null;
      if (options.json) printJson({ figures: report.figures, results: report.results, ...compared });
      else if (compared) printComparison(compared, results.length);
      else print(table(["FIGURE", "VALUE"], rowsOf(report.figures)));
      warn(results);
      if (report.figures.leaks > 0) throw new CommandFailure();
    });
}

async function readSet(server: Destination, name: string): Promise<Question[]> {
  const team = server.teamId === null ? "" : `?team_id=${server.teamId}`;
  return questionsOf((await request(server, `/v1/eval-sets/${encodeURIComponent(name)}${team}`)) as EvalSet);
}

const SEARCH_LIMIT = 20;

async function askAll(
  server: Destination,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<QuestionResult[]> {
  const progress = createProgress();
  const readable = new Map<string, boolean>();
  const results: QuestionResult[] = [];
  try {
    for (const question of questions) {
      if (signal.aborted)
        throw new CommandFailure("Stopped before the end: nothing was measured. Run the command again.");
      results.push(
        await ask(server, question, readable).catch((error: unknown) => {
          if (!(error instanceof ServerRefusal)) throw error;
          throw new CommandFailure(`line ${question.line}: ${error.message}`);
        }),
      );
      progress.show(results.length, `${figure(results.length)} of ${count(questions.length, "question")}`);
    }
  } finally {
    progress.end();
  }
  return results;
}

/** Asks one question. `readable` caches whether the key can read a memory. */
async function ask(
  server: Destination,
  question: Question,
  readable: Map<string, boolean>,
): Promise<QuestionResult> {
  const { session_id, ...asked } = question.asked;
  // A header carries UTF-8 with one character per byte.
  const headers =
    typeof session_id === "string" ? { "x-session-id": Buffer.from(session_id).toString("latin1") } : {};
  const unknown: string[] = [];
  for (const id of [...question.relevant, ...question.stale]) {
    if (!readable.has(id)) readable.set(id, await isReadable(server, id));
    if (readable.get(id) === false) unknown.push(id);
  }

  const searchStart = performance.now();
  const found: string[] = [];
  let isDegraded = false;
  let cursor: string | undefined;
  do {
    const body = { ...asked, limit: SEARCH_LIMIT, cursor };
    const page = (await request(server, "/v1/memories/search", { body, headers })) as SearchAnswer;
    found.push(...page.results.map(({ id }) => id));
    isDegraded ||= (page.degraded?.length ?? 0) > 0;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  const contextStart = performance.now();
  const pack = (await request(server, "/v1/recall/context", { body: asked, headers })) as ContextAnswer;
  const end = performance.now();

  const named = new Set([...found, ...idsIn(pack)]);
  return {
    ...question,
    asked: question.asked as QuestionResult["asked"],
    found,
    packed: pack.items.map(({ id }) => id),
    leaked: question.forbidden.filter((id) => named.has(id)),
    unknown,
    tokens: pack.budget.used_tokens,
    degraded: isDegraded || ("retrieval_plan" in pack && pack.retrieval_plan.degraded.length > 0),
    search_ms: Math.round(contextStart - searchStart),
    context_ms: Math.round(end - contextStart),
  };
}

/** Every memory that a context names, in the pack or beside it. */
function idsIn(pack: ContextAnswer): string[] {
  const packed = pack.items.map(({ id }) => id);
  if (!("omitted" in pack)) return packed;
  return [
    ...packed,
    ...pack.omitted.flatMap(({ id, repeats }) => (repeats === undefined ? [id] : [id, repeats])),
    ...pack.conflicts.flatMap(({ ids }) => ids),
  ];
}

async function isReadable(server: Destination, id: string): Promise<boolean> {
  try {
    await request(server, `/v1/memories/${encodeURIComponent(id)}`);
    return true;
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return false;
    throw error;
  }
}

/** The results of an earlier report. */
async function readReport(file: string): Promise<QuestionResult[]> {
  const text = await readUtf8(file);
  const refused = (reason: string) =>
    new CommandFailure(`${file} is not a report of recollect eval --out: ${reason}.`);
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw refused("it is not JSON");
  }
  const parsed = evalReport.safeParse(report, inPlainWords);
  if (parsed.success) return parsed.data.results;
  const [issue] = parsed.error.issues;
  throw refused(`${issue?.path.join(".") || "it"} ${issue?.message ?? "is not valid"}`);
}

const share = (number: number) => number.toFixed(3);
const whole = (number: number) => figure(Math.round(number));

const ROWS: Readonly<Record<keyof Figures, readonly [title: string, show: (number: number) => string]>> = {
  questions: ["questions", whole],
  recall_at_5: ["recall@5", share],
  recall_at_10: ["recall@10", share],
  any_at_10: ["any@10", share],
  mrr: ["MRR", share],
  pack_share: ["relevant in pack", share],
  stale_answers: ["stale answers", whole],
  leaks: ["leaks", whole],
  pack_tokens: ["tokens of a pack", whole],
  empty_packs: ["empty packs", whole],
  search_ms_p50: ["search p50 ms", whole],
  search_ms_p95: ["search p95 ms", whole],
  context_ms_p50: ["context p50 ms", whole],
  context_ms_p95: ["context p95 ms", whole],
};

/** A row for each figure, with a column for each run. */
function rowsOf(...runs: readonly Figures[]): string[][] {
  return (Object.keys(ROWS) as (keyof Figures)[]).map((name) => {
    const [title, show] = ROWS[name];
    return [title, ...runs.map(({ [name]: number }) => (number === null ? "-" : show(number)))];
  });
}

function printComparison(
  {
    before,
    after,
    changed,
  }: {
    readonly before: Figures;
    readonly after: Figures;
    readonly changed: readonly ChangedQuestion[];
  },
  asked: number,
): void {
  print(table(["FIGURE", "BEFORE", "AFTER"], rowsOf(before, after)));
  if (after.questions < asked)
    print(
      `\nOnly the ${figure(after.questions)} of ${count(asked, "question")} that both runs have are compared.`,
    );
  if (changed.length === 0) {
    print("\nNo question changed.");
    return;
  }
  const differences = ({ scores }: ChangedQuestion) =>
    scores.map((one) => `${one.name} ${short(one.before)} -> ${short(one.after)}`).join(", ");
  print("");
  print(
    table(
      ["LINE", "CHANGE", "SCORES", "QUERY"],
      changed.map((one) => [`${one.line}`, one.change, differences(one), excerpt(one.query)]),
    ),
  );
}

const short = (number: number) => `${Number(number.toFixed(2))}`;

const EXCERPT_CHARACTERS = 60;

function excerpt(query: string): string {
  const characters = [...query];
  return characters.length <= EXCERPT_CHARACTERS
    ? query
    : `${characters.slice(0, EXCERPT_CHARACTERS - 1).join("")}…`;
}

/** Reports leaks, ids that are unknown, and answers without a part of recall. */
function warn(results: readonly QuestionResult[]): void {
  for (const { line, leaked, unknown } of results) {
    if (leaked.length > 0) say(printable(`line ${line}: leak: ${leaked.join(", ")}`));
    if (unknown.length > 0)
      say(printable(`line ${line}: unknown to this key: ${unknown.join(", ")}. Check the id and the key.`));
  }
  const degraded = results.filter((result) => result.degraded).length;
  if (degraded > 0)
    say(
      `${count(degraded, "question")} answered while a part of recall was unavailable: see recollect doctor.`,
    );
}
