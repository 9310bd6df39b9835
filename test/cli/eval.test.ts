/** `recollect eval`, against a real server with a small store. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { type Client, openWorld, type World } from "../support/world.ts";
import { NO_DATABASE, recollectHere, temporaryFolder } from "./cli.ts";

let world: World;
let client: Client;
let server: Awaited<ReturnType<typeof listen>>;

const MEMORIES = {
  birch: "The staging database runs on host birch.",
  walnut: "Grace is allergic to walnuts.",
  ladder: "Anna keeps the borrowed ladder in Oakhurst.",
  train: "The train to Leiden leaves from platform nine.",
};

beforeAll(async () => {
  world = await openWorld();
  client = await world.client({ owner: "alice" });
  for (const [memory_id, content] of Object.entries(MEMORIES)) {
    const { status } = await client.post("/v1/memories", { memory_id, content, path: `eval/${memory_id}` });
    expect(status).toBe(201);
  }
  server = await listen({
    fetch: (request) => world.handle(request),
    host: "127.0.0.1",
    port: 0,
    headTooLarge: () => new Response(null, { status: 431 }),
  });
}, 120_000);

afterAll(async () => {
  await server?.close();
  await world?.close();
});

/** Writes the questions, objects or lines as they are, and runs the command on them. */
async function evaluate(
  questions: readonly unknown[],
  options: readonly string[] = [],
  token = client.token,
) {
  const file = join(temporaryFolder(), "questions.jsonl");
  const lines = questions.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  writeFileSync(file, lines.join("\n"));
  return recollectHere(["eval", file, "--server", server.url, ...options], {
    ...NO_DATABASE,
    RECOLLECT_API_KEY: token,
  });
}

const HOST = "Which host does the staging database run on?";
const GRACE = "What is Grace allergic to?";

test("the figures are those of the places at which the server returns the memories", async () => {
  const questions = [
    { query: HOST, relevant: ["birch"], stale: ["ladder"] },
    { query: GRACE, relevant: ["walnut", "mem_gone"] },
    // The outdated memory is the one that matches.
    { query: "Where is the borrowed ladder?", relevant: ["train"], stale: ["ladder"], path: "eval/ladder" },
    { query: GRACE, relevant: [], forbidden: ["walnut"], path_under: "eval/nothing" },
  ];
  const ran = await evaluate(questions, ["--json"]);
  expect(ran.status).toBe(0);
  const { figures, results } = JSON.parse(ran.stdout);
  expect(results[0]).toMatchObject({ line: 1, leaked: [], unknown: [] });
  expect(results[0].found[0]).toBe("birch");
  expect(results[0].packed).toContain("birch");
  expect(results[2]).toMatchObject({ found: ["ladder"], scores: { reciprocal_rank: 0, stale: 1 } });
  expect(results[3]).toMatchObject({
    found: [],
    packed: [],
    scores: { recall_at_5: null, reciprocal_rank: null },
  });
  // Recall of 1, a half and 0; the last question names no relevant memory.
  expect(figures).toMatchObject({
    questions: 4,
    recall_at_5: 0.5,
    recall_at_10: 0.5,
    any_at_10: 2 / 3,
    mrr: 2 / 3,
    pack_share: 0.5,
    stale_answers: 1,
    leaks: 0,
    empty_packs: 1,
  });
  expect(figures.pack_tokens).toBeGreaterThan(0);
  expect(ran.stderr).toContain("line 2: unknown to this key: mem_gone. Check the id and the key.");

  const table = await evaluate(questions);
  expect(table.stdout).toMatch(/recall@5 +0\.500\n/);
  expect(table.stdout).toMatch(/MRR +0\.667\n/);
  expect(table.stdout).toMatch(/stale answers +1\n/);
});

test("a leak is named with its line, and the exit status is 1", async () => {
  const ran = await evaluate([
    { query: HOST, relevant: ["birch"] },
    { query: GRACE, relevant: [], forbidden: ["walnut"] },
  ]);
  expect(ran.status).toBe(1);
  expect(ran.stdout).toMatch(/leaks +1\n/);
  expect(ran.stderr).toContain("line 2: leak: walnut");
  expect(ran.stderr).not.toContain("line 1:");

  const bob = await world.client({ owner: "bob" });
  const others = await evaluate([{ query: GRACE, relevant: [], forbidden: ["walnut"] }], [], bob.token);
  expect(others.status).toBe(0);
});

test("every bad line is named before anything is asked", async () => {
  const { status, stdout, stderr } = await evaluate(
    [
      { query: HOST, relevant: ["birch"] },
      '{"query": "cut',
      "",
      { query: HOST },
      { query: HOST, relevant: [] },
      { query: HOST, relevant: ["birch"], stale: ["birch"] },
      { query: HOST, relevant: ["birch"], asked_at: "yesterday" },
      { query: HOST, relevant: ["birch"], limit: 3 },
      { query: HOST, relevant: ["walnut"] },
    ],
    [],
    "no-such-key",
  );
  expect([status, stdout]).toEqual([1, ""]);
  const said = stderr.trim().split("\n");
  expect(said.map((line) => /line (\d+): (.*)/.exec(line)?.slice(1).join(" "))).toEqual([
    "2 is not JSON, or is cut short.",
    expect.stringMatching(/^4 relevant is required/),
    "5 needs at least one id in relevant, stale or forbidden.",
    "6 names birch twice in relevant, stale and forbidden.",
    expect.stringMatching(/^7 asked_at /),
    "8 has members that a question cannot have: limit.",
    "9 asks the same as line 1.",
  ]);
});

test("a set of the server is asked by its name like a file", async () => {
  const { sql } = world.service;
  await sql`
    insert into eval_questions (id, owner_id, set_name, asked, relevant, stale)
    select gen_random_uuid(), owner_id, 'Staging questions', ${{ query: HOST } as never}::jsonb, array[id], '{}'
    from memories where memory_id = 'birch'`;
  const env = { ...NO_DATABASE, RECOLLECT_API_KEY: client.token };
  const run = (...given: string[]) => recollectHere(["eval", "--server", server.url, ...given], env);
  const { status, stdout } = await run("--set", "Staging questions", "--json");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    figures: { questions: 1, mrr: 1 },
    results: [{ line: 1, asked: { query: HOST }, relevant: ["birch"] }],
  });
  expect((await run("--set", "no such set")).stderr).toContain("404");
  expect((await run()).stderr).toContain("give either FILE or --set");
  expect((await run("some.jsonl", "--set", "x")).status).not.toBe(0);
});

test("files that are missing or no report, a wrong key and a silent server are said in a sentence", async () => {
  const folder = temporaryFolder();
  const env = { ...NO_DATABASE, RECOLLECT_API_KEY: client.token };
  const missing = await recollectHere(["eval", join(folder, "none")], env);
  expect(missing).toMatchObject({ status: 1, stdout: "" });
  expect(missing.stderr).toMatch(/there is no such file or folder/);
  const aFolder = await recollectHere(["eval", folder], env);
  expect(aFolder.stderr).toMatch(/it is a folder; name a file instead/);
  writeFileSync(join(folder, "empty"), "\n");
  expect((await recollectHere(["eval", join(folder, "empty")], env)).stderr).toContain("has no questions");

  const questions = [{ query: HOST, relevant: ["birch"] }];
  writeFileSync(join(folder, "other.json"), "{}");
  const other = await evaluate(questions, ["--against", join(folder, "other.json")]);
  expect(other).toMatchObject({ status: 1, stdout: "" });
  expect(other.stderr).toMatch(/is not a report of recollect eval --out: recollect_eval /);
  const refused = await evaluate(questions, [], "no-such-key");
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^line 1: The server at \S+ answered 401/);
  const file = join(folder, "questions.jsonl");
  writeFileSync(file, JSON.stringify(questions[0]));
  const silent = await recollectHere(["eval", file, "--server", "http://127.0.0.1:9"], env);
  expect(silent).toMatchObject({ status: 1, stdout: "" });
  expect(silent.stderr).toContain("cannot be reached. Check --server and that the server is running.");
  for (const { stderr } of [missing, aFolder, other, refused, silent]) expect(stderr).not.toMatch(/^ +at /m);
});

test("a later run is compared with a report: both columns, and the questions that got better or worse", async () => {
  const carol = await world.client({ owner: "carol" });
  const store = (memory_id: string, content: string) =>
    carol.post("/v1/memories", { memory_id, content, path: `eval/${memory_id}` });
  await store("carol-birch", MEMORIES.birch);
  const report = join(temporaryFolder(), "before.json");
  const questions = [
    { query: HOST, relevant: ["carol-birch"] },
    { query: GRACE, relevant: ["carol-walnut"], path: "eval/carol-walnut" },
  ];
  const first = await evaluate(questions, ["--out", report], carol.token);
  expect(first.status).toBe(0);
  expect(statSync(report).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
    recollect_eval: 1,
    figures: { recall_at_10: 0.5 },
    results: [{ found: ["carol-birch"] }, { found: [], unknown: ["carol-walnut"] }],
  });
  const again = await evaluate(questions, ["--out", report], carol.token);
  expect(again).toMatchObject({ status: 1, stdout: "" });
  expect(again.stderr).toContain("give --force to replace it");

  const same = await evaluate(questions, ["--against", report], carol.token);
  expect(same.stdout).toContain("No question changed.");

  await store("carol-walnut", MEMORIES.walnut);
  await carol.delete("/v1/memories/carol-birch");
  const added = { query: "Which platform does the train leave from?", relevant: ["carol-birch"] };
  const later = await evaluate([...questions, added], ["--against", report], carol.token);
  expect(later.status).toBe(0);
  expect(later.stdout).toMatch(/FIGURE +BEFORE +AFTER\nquestions +2 +2\nrecall@5 +0\.500 +0\.500\n/);
  expect(later.stdout).toContain("Only the 2 of 3 questions that both runs have are compared.");
  expect(later.stdout).toMatch(/\n1 +worse +recall_at_5 1 -> 0, .*Which host/);
  expect(later.stdout).toMatch(/\n2 +better +recall_at_5 0 -> 1, .*What is Grace/);
  const json = JSON.parse((await evaluate(questions, ["--against", report, "--json"], carol.token)).stdout);
  expect(json.changed.map(({ line, change }: { line: number; change: string }) => [line, change])).toEqual([
    [1, "worse"],
    [2, "better"],
  ]);

  const otherIds = [{ query: HOST, relevant: ["carol-walnut"] }];
  const none = await evaluate(otherIds, ["--against", report], carol.token);
  expect(none.stderr).toContain("nothing was compared");
});
