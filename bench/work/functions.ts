import type { z } from "zod";
import { loadLexicon, staticEmbedding } from "../../src/adapters/embedding/builtin.ts";
import { assignmentReader, PASSWORD_NAME } from "../../src/adapters/secret-scan/assignments.ts";
import { createSecretScanner } from "../../src/adapters/secret-scan/create-secret-scanner.ts";
import * as knownTokens from "../../src/adapters/secret-scan/known-tokens.ts";
import * as plausible from "../../src/adapters/secret-scan/plausible.ts";
import * as structured from "../../src/adapters/secret-scan/structured.ts";
import { readTokenVocabulary } from "../../src/adapters/token-vocabulary.ts";
import { printable } from "../../src/compose/printable.ts";
import { sha256 } from "../../src/compose/sha256.ts";
import { operationList } from "../../src/contract/operations.ts";
import { quotedField } from "../../src/contract/own-words.ts";
import { isOfAnApp } from "../../src/contract/redirect-uri.ts";
import { plainCode } from "../../src/core/agent/claim-code.ts";
import { plainContent, quoteLines } from "../../src/core/context/render.ts";
import { canonicalJson, parseExactJson } from "../../src/core/input/json.ts";
import { KnownNames } from "../../src/core/input/unknown-members.ts";
import { RecentAnswers } from "../../src/core/memory/recent-answers.ts";
import { parseRule } from "../../src/core/reminder/rule.ts";
import { readMem0 } from "../../src/core/transfer/peers/mem0.ts";
import { makerFor } from "../../src/core/transfer/peers/peer-record.ts";
import { readExport } from "../../src/core/transfer/read-lines.ts";
import { readPassages } from "../../src/recall/index/document-passages.ts";
import { matchesPattern } from "../../src/recall/index/in-memory/scope-filter.ts";
import { analyseQuery, type QueryAnalysis } from "../../src/recall/index/query.ts";
import { foldedText, normalizedText, plainText } from "../../src/recall/language/characters.ts";
import { exactKeys, matchIn } from "../../src/recall/language/exact-words.ts";
import { namedIn } from "../../src/recall/language/named.ts";
import { passageAt, passagesOf } from "../../src/recall/language/passages.ts";
import { read } from "../../src/recall/language/reading.ts";
import { readTime } from "../../src/recall/language/times.ts";
import { wordsIn } from "../../src/recall/language/words.ts";
import { countTokens, provideVocabulary } from "../../src/recall/pack/count-tokens.ts";
import { Excerpts, queryScorer } from "../../src/recall/pack/excerpt.ts";
import { computeFeatures } from "../../src/recall/ranking/features.ts";
import { asserts } from "../../src/recall/statements/assertion.ts";
import { contradictionsAmong } from "../../src/recall/statements/conflicts.ts";
import { conflictsOf, newestFirst } from "../../src/recall/statements/newest-first.ts";
import { answerIn, answersIn, questionOf } from "../../src/recall/statements/question.ts";
import { RepetitionSearch } from "../../src/recall/statements/repetitions.ts";
import { likenessOf } from "../../src/recall/statements/same-words.ts";
import { type ComparedText, comparedText, saysAllOf } from "../../src/recall/statements/sameness.ts";
import {
  contradictionOf,
  type Statement,
  stated,
  statementOf,
  statementsConflict,
} from "../../src/recall/statements/statement.ts";
import { emptinessOf } from "../../src/recall/statements/trivial.ts";
import { atOnce, inTurns, UNPACED } from "../../src/recall/work.ts";
import { clientAddress } from "../../src/surfaces/http/address.ts";
import { html } from "../../src/surfaces/http/html.ts";
import { preferenceFor, requireJsonType } from "../../src/surfaces/http/media-type.ts";
import { codeOf, fieldOf, readForm } from "../../src/surfaces/pages/form.ts";
import { leavesOf } from "./members.ts";

type Stated = ReturnType<typeof stated>;

/** Something that reads a text, and the longest text that can come to it. */
export interface Reader {
  readonly name: string;
  readonly longest: number;
  /** What it throws is its answer to a text that is not for it. */
  readonly read: (text: string) => unknown;
}

const CONTENT = 64 * 1024;
const BODY = 1024 * 1024;
const QUERY = 32 * 1024;
const FORM = 64 * 1024;
/** Bun and Node take headers of 16 KiB in all. */
const HEADERS = 16 * 1024;

/** Every reader of text that there is. Detectors, and the schemas of members, come in by themselves. */
export async function readers(): Promise<Reader[]> {
  return [
    ...detectors(),
    ...(await ofContent()),
    ...ofBodies(),
    ...ofHeaders(),
    ...ofForms(),
    ...ofFiles(),
    ...ofMembers(),
  ];
}

function reader(name: string, longest: number, read: Reader["read"]): Reader {
  return { name, longest, read };
}

/** What the modules of the scanner export that reads a text. */
function detectors(): Reader[] {
  const scanner = createSecretScanner();
  const modules = { ...assignmentReader([PASSWORD_NAME]), ...knownTokens, ...plausible, ...structured };
  return [
    reader("secrets: the whole scan", CONTENT, scanner.scan),
    reader("secrets: a member named password", CONTENT, scanner.under("password")),
    ...Object.entries(modules).flatMap(([name, value]) => {
      if (typeof value !== "function") return [];
      const detect = value as (text: string, name: string) => unknown;
      return [reader(`secrets: ${name}`, CONTENT, (text) => detect(text, "password"))];
    }),
  ];
}

async function ofContent(): Promise<Reader[]> {
  provideVocabulary(readTokenVocabulary);
  const lexicon = await loadLexicon();
  const measure = (text: string) => countTokens(quoteLines(text));
  const excerpt = (tokensMax: number, passage: number | null) => (text: string) =>
    atOnce(
      new Excerpts(text, {
        measure,
        passage: passageAt(text, passage),
        score: queryScorer(text.slice(0, 8000)),
        // Cut at every size: where it began to be, one doubling would cost what cutting takes at all.
        wholeTokens: Infinity,
      }).within(tokensMax),
    );
  const halves = (text: string) =>
    [text.slice(0, text.length / 2), text.slice(text.length / 2)] as [string, string];
  const small = (text: string) =>
    Array.from({ length: text.length / 64 }, (_, n) => text.slice(64 * n, 64 * n + 64));
  const index = {
    id: "",
    seq: 0,
    revision: 0,
    ownerId: "",
    teamId: null,
    projectId: null,
    bucket: "",
    scope: "",
  };
  const rest = { memoryType: "", isItem: false, status: "", supersededUntil: null, supersededStatus: null };
  const times = { sessionId: null, occurredAt: 0, createdAt: 0, expiresAt: null, vectors: null };
  const trust = { hasCallersVector: false, multilingual: null, language: null, isAdopted: false };
  const said = {
    ...{ id: "", relevance: 1, semanticKey: null, status: "active", supersededBy: null },
    ...{ occurredAtMs: 0, confidence: 1, authority: "observation", isOwnSession: false },
  };
  const document = (content: string, path: string) =>
    readPassages(
      { ...index, ...rest, ...times, ...trust, source: "Ann", content, keywords: path, path },
      lexicon,
    );
  return [
    reader("tokens", CONTENT, countTokens),
    reader("excerpt, short", CONTENT, excerpt(200, null)),
    reader("excerpt, long", CONTENT, excerpt(4000, null)),
    reader("excerpt of a passage", CONTENT, excerpt(200, 1)),
    reader("plain content", CONTENT, plainContent),
    reader("quoted field", CONTENT, (text) => quotedField(text, 80)),
    reader("repetitions of two", CONTENT, (text) => {
      const search = new RepetitionSearch();
      for (const content of halves(text)) search.find({ id: "", content });
    }),
    reader("repetitions of a hundred", CONTENT, (text) => {
      const search = new RepetitionSearch();
      for (const content of small(text).slice(0, 100)) search.find({ id: "", content });
    }),
    reader("sentences", CONTENT, (text) => read(text).sentences),
    reader("sameness", CONTENT, (text) => {
      const [one, other] = halves(text).map(comparedText);
      return saysAllOf(other as ComparedText, one as ComparedText);
    }),
    reader("conflict", CONTENT, (text) => {
      const [one, other] = halves(text).map(statementOf);
      return statementsConflict(one as Statement, other as Statement);
    }),
    reader("contradiction", CONTENT, (text) => {
      const [one, other] = halves(text).map((half) => stated(read(half).sentences));
      return contradictionOf(one as Stated, other as Stated);
    }),
    reader("newest first", CONTENT, async (text) => {
      const sides = small(text)
        .slice(0, 40)
        .map((content) => ({ ...said, content }));
      const { pairs } = await inTurns(contradictionsAmong(sides, questionOf(text.slice(0, 20))), UNPACED);
      const valued = sides.map((candidate) => ({ candidate, value: 1 }));
      return newestFirst(valued, conflictsOf(pairs));
    }),
    reader("question", CONTENT, questionOf),
    reader("answer to a question", CONTENT, (text) => answerIn(text, questionOf(text.slice(0, 200)))),
    reader("assertion of an answer", CONTENT, (text) => {
      const question = questionOf(`When ${text.slice(0, 20)}?`);
      return [...answersIn(text, question)].map((answer) => asserts(answer, question));
    }),
    reader("passages", CONTENT, passagesOf),
    reader("words", CONTENT, wordsIn),
    reader("words as they are compared", CONTENT, (text) => likenessOf(text, ` ${text}`)),
    reader("courtesies", CONTENT, emptinessOf),
    reader("text that was shown", CONTENT, (text) => {
      const handedOut = new RecentAnswers({ hash: (piece) => piece.slice(-13), clock: () => 0, key: "" });
      handedOut.note("t", [{ source: null, text }]);
      return handedOut.sourcesOf("t", text);
    }),
    reader("normalised text", CONTENT, normalizedText),
    reader("word pieces", CONTENT, (text) => lexicon.pieces(text)),
    reader("keys of words", CONTENT, (text) => exactKeys(plainText(text))),
    reader("names", CONTENT, (text) => namedIn(text, () => false)),
    reader("a name in a text", CONTENT, (text) => {
      const plain = plainText(text);
      for (const length of [1, 2, 3, 64, 512]) matchIn(plain, foldedText(plain), plain.slice(0, length));
    }),
    reader("terms", CONTENT, (text) => lexicon.terms(text)),
    reader("embedding", CONTENT, (text) => lexicon.embed(text)),
    reader("document's words", CONTENT, (text) => document(text, text.slice(0, 512))),
    reader("query", CONTENT, (text) => analyseQuery(text, lexicon)),
    reader("query's vectors", CONTENT, (text) =>
      staticEmbedding(analyseQuery(text, lexicon), lexicon)(() => 1),
    ),
    reader("speakers", CONTENT, (text) => namedSpeakers(text, analyseQuery(text, lexicon))),
    reader("time expressions", CONTENT, readTime),
    reader("recurrence", CONTENT, parseRule),
    reader("pattern of a filter", 2048, (text) =>
      matchesPattern(text.slice(0, 512).replaceAll("%", "a"), text),
    ),
    reader("HTML", CONTENT, (text) => String(html`<p>${text}</p>`)),
    reader("terminal", CONTENT, printable),
  ];
}

/** As many speakers as the text has room for, each named like a part of it, and candidates of some of them. */
function namedSpeakers(text: string, query: QueryAnalysis): unknown {
  const speakers = Array.from(
    { length: Math.ceil(text.length / 32) },
    (_, n) => `${text.slice(n, n + 1 + (n % 200))} ${n}`,
  );
  const counts = new Float32Array(query.terms.length);
  const words = {
    own: counts,
    ofMemory: counts,
    context: counts,
    session: counts,
    length: 1,
    contextLength: 1,
  };
  const rest = {
    sessionLength: 1,
    sessionKey: null,
    previous: null,
    vector: () => null,
    occurredAt: 0,
    newerCount: 0,
  };
  const flags = { isQuestion: false, mentionsTime: false, isAdopted: false };
  const cosines = { cosine: null, sentenceCosine: null, multilingualCosine: null, language: null };
  return computeFeatures(query, {
    queryLanguage: null,
    statistics: {
      memoryCount: speakers.length,
      documentFrequency: [],
      meanLength: 1,
      meanContextLength: 1,
      sessionCount: 1,
      sessionDocumentFrequency: [],
      meanSessionLength: 1,
      speakers,
      aliases: new Map(),
    },
    candidates: speakers.slice(0, 50).map((speaker, seq) => ({
      id: String(seq),
      ownerId: "",
      seq,
      passage: null,
      speaker,
      ...words,
      ...rest,
      ...flags,
      ...cosines,
    })),
  });
}

function ofBodies(): Reader[] {
  const json = (text: string) => parseExactJson(text, []);
  const names = new KnownNames(["content", "memory_id", "merge_metadata", "detect_conflicts"]);
  const parts = (text: string) => {
    const size = 6;
    return Array.from({ length: text.length / size }, (_, n) => text.slice(size * n, size * n + size));
  };
  return [
    reader("JSON: a text", BODY, (text) => json(JSON.stringify({ text }))),
    reader("JSON: a text and an exact integer", BODY, (text) =>
      json(JSON.stringify([text, 9007199254740991])),
    ),
    reader("JSON: any bytes", BODY, json),
    reader("JSON: many texts", BODY, (text) => json(JSON.stringify([...parts(text), 9007199254740991]))),
    reader("JSON: many members", BODY, (text) =>
      json(JSON.stringify(Object.fromEntries(parts(text).map((part, n) => [part, n])))),
    ),
    reader("JSON: numbers", BODY, (text) =>
      json(`[${parts(text).map((_, n) => 900719925474099100 + n * 1e4)}]`),
    ),
    reader("unknown members", BODY, (text) => names.unknownOf(parts(text))),
    reader("one unknown member", BODY, (text) => names.unknownOf([text])),
    reader("canonical JSON", BODY, (text) =>
      canonicalJson(Object.fromEntries(parts(text).map((part, n) => [part, { [part]: n }]))),
    ),
  ];
}

function ofHeaders(): Reader[] {
  const from = (forwarded: string) =>
    Object.assign(new Request("http://localhost/", { headers: { "x-forwarded-for": forwarded } }), {
      ip: "127.0.0.1",
    });
  return [
    reader("header: Content-Type", HEADERS, namesJson),
    reader("header: Content-Type's parameters", HEADERS, (text) => namesJson(`application/json;${text}`)),
    reader("header: Accept", HEADERS, (text) => preferenceFor(text, "application/problem+json")),
    reader("header: X-Forwarded-For", HEADERS, (text) => clientAddress(from(text), ["127.0.0.0/8"])),
    reader("header: X-Forwarded-For of proxies", HEADERS, (text) =>
      clientAddress(from("127.0.0.1,".repeat(text.length / 10)), ["127.0.0.0/8"]),
    ),
    reader("an app's address", BODY, isOfAnApp),
    reader("claim code", QUERY, plainCode),
  ];
}

function namesJson(contentType: string): boolean {
  try {
    requireJsonType(new Headers({ "content-type": contentType }));
    return true;
  } catch {
    return false;
  }
}

function ofForms(): Reader[] {
  const form = (body: string) =>
    readForm(
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      }),
    );
  return [
    reader("form", FORM, async (text) => fieldOf(await form(text), "name")),
    reader("form's field", FORM, async (text) =>
      fieldOf(await form(new URLSearchParams({ name: text }).toString()), "name"),
    ),
    reader("code in a link", QUERY, codeOf),
  ];
}

function ofFiles(): Reader[] {
  const bytes = async function* (text: string) {
    yield new TextEncoder().encode(`{"recollect_export":2}\n${text}`);
  };
  return [
    reader("import of an export", BODY, async (text) => {
      for await (const _ of readExport(bytes(text)).records);
    }),
    reader("import of an export's texts", BODY, async (text) => {
      for await (const _ of readExport(bytes(JSON.stringify({ text }))).records);
    }),
    reader("import from mem0", BODY, (text) => [...readMem0(text, makerFor("mem0", sha256))].length),
    reader("import from mem0's texts", BODY, (text) => {
      const memories = [{ id: "m", memory: text, user_id: text, app_id: text, categories: [text] }];
      return [...readMem0(JSON.stringify(memories), makerFor("mem0", sha256))].length;
    }),
  ];
}

/** The schema of each member of each operation that can be a text, each once. What a body may hold comes to it. */
function ofMembers(): Reader[] {
  const schemas = new Map<z.ZodType, string>();
  for (const operation of operationList)
    for (const { schema, path } of leavesOf(operation))
      if (schema !== null && !schemas.has(schema)) schemas.set(schema, `${operation.name}.${path.join(".")}`);
  return [...schemas].map(([schema, name]) =>
    reader(`schema: ${name}`, BODY, (text) => schema.safeParse(text)),
  );
}
