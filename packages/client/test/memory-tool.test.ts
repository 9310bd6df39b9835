/**
 * The memory tool beside the local tool of Anthropic's TypeScript SDK, over random commands, and in whole turns of the SDK's
 * runner. Answers are those of the Python SDK, so that what the TypeScript tool does differently is skipped:
 *
 * - it never finds an `old_str` of several lines, takes the first of two in one line, and lists lines only once;
 * - it takes `/memoriesX` for a path below `/memories`;
 * - it keeps a file without a final newline so, counts the empty line after one, and drops only one from what it inserts;
 * - it shows the host's paths and error codes, where only our refusal is compared;
 * - it shows how large a folder is on its disk, and keeps folders that have become empty.
 */
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { createClient } from "@recollect/client";
import { type MemoryCommand, memoryTool } from "@recollect/client/memory-tool";
import fc from "fast-check";
import { expect, inject, onTestFinished, test } from "vitest";
import { lostClient, watchedClient } from "./clients.ts";

// Few, so that commands meet; of every kind that a path or an id could trip over.
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "/memories/a",
      "/memories/a/b",
      "/memories/a/b/c",
      "/memories/a.txt",
      "/memories/A",
      "/memories/é %_=/漢 字.md",
      "/memories/.hidden",
      "/memories/d/.h",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/memories",
      "/memories/",
      "/memories/d",
      "/memories/d/../a",
      "/memories//a/./b",
      "/memories/a/",
      "/memories/../x",
      "/elsewhere",
    ),
  },
);
const line = fc.constantFrom("one", "two two", "one two", "", " ", "\tthree\r", "ünï 漢 🙂", "`$&`");
const text = fc
  .tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom("", "\n", "\n\n"))
  .map(([lines, end]) => lines.join("\n") + end);
const at = fc.integer({ min: -2, max: 7 });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ command: fc.constant("create"), path, file_text: text }) },
  {
    weight: 4,
    arbitrary: fc.record(
      { command: fc.constant("view"), path, view_range: fc.tuple(at, at) },
      { requiredKeys: ["command", "path"] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ command: fc.constant("insert"), path, insert_line: at, insert_text: text }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      command: fc.constant("str_replace"),
      path,
      old_str: fc.constantFrom("one", "two", "e", "ünï", "🙂", "absent", "`$&`", "two\none"),
      new_str: text,
    }),
  },
  { weight: 2, arbitrary: fc.record({ command: fc.constant("delete"), path }) },
  { weight: 2, arbitrary: fc.record({ command: fc.constant("rename"), old_path: path, new_path: path }) },
) as fc.Arbitrary<MemoryCommand>;

interface Outcome {
  readonly answer?: string;
  readonly error?: string;
  /** The local tool let an error of the file system through. */
  readonly isLeak?: boolean;
}

async function outcomeOf(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: String(await run()) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { error: message, isLeak: code !== undefined };
  }
}

/** Whether the local tool is known to differ. */
function isFault(given: MemoryCommand, file: string | null): boolean {
  if (file === null) return false;
  const lines = file.split("\n");
  if (given.command === "str_replace")
    return given.old_str.includes("\n") || lines.some((each) => each.split(given.old_str).length > 2);
  if (given.command !== "insert") return false;
  return inserted(file, given, "python") !== inserted(file, given, "typescript");
}

/** The file after an insertion by the SDK's tool in either language; null if it is refused. */
function inserted(
  file: string,
  { insert_line, insert_text }: { insert_line: number; insert_text: string },
  language: "python" | "typescript",
): string | null {
  const [lines, isPython] = [file.split("\n"), language === "python"];
  if (isPython && lines.at(-1) === "") lines.pop();
  if (insert_line < 0 || insert_line > lines.length) return null;
  lines.splice(insert_line, 0, insert_text.replace(isPython ? /\n+$/ : /\n$/, ""));
  const text = lines.join("\n");
  return isPython && !text.endsWith("\n") ? `${text}\n` : text;
}

function comparable({ answer, error, isLeak }: Outcome, reference: Outcome): unknown {
  if (reference.isLeak || isLeak) return answer === undefined ? "refused" : answer;
  const said = (answer ?? error ?? "")
    .replace(" and node_modules:", ":")
    .replace(/(It should be within the range).*$/, "$1")
    .replaceAll(/^\S+\t(?=\/\S*$|.*\/$)/gm, (size, offset, whole: string) =>
      /\/$/.test(whole.slice(offset).split("\n", 1)[0] ?? "") || whole.indexOf("\n") + 1 === offset
        ? "FOLDER\t"
        : size,
    );
  return { said, isError: error !== undefined };
}

function removeEmptyFolders(folder: string, isRoot = true): void {
  for (const entry of readdirSync(folder)) {
    if (statSync(join(folder, entry)).isDirectory()) removeEmptyFolders(join(folder, entry), false);
  }
  if (!isRoot && readdirSync(folder).length === 0) rmdirSync(folder);
}

function fileAt(root: string, path: string): string | null {
  try {
    return readFileSync(resolve(join(root, path)), "utf8");
  } catch {
    return null;
  }
}

test("answers as the SDK's local tool does, over random commands", { timeout: 600_000 }, async () => {
  const { client } = watchedClient();
  const counts = { runs: 0, equal: 0, leaks: 0, faults: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60, size: "max" }), async (commands) => {
      counts.runs += 1;
      const folder = mkdtempSync(join(tmpdir(), "memory-tool-"));
      try {
        const local = await BetaLocalFilesystemMemoryTool.init(folder);
        const ours = memoryTool(client, { path: `random-files/${counts.runs}`, timeoutMs: 60_000 });
        for (const given of commands) {
          if ("path" in given && isFault(given, fileAt(folder, given.path))) {
            counts.faults += 1;
            continue;
          }
          const expected = await outcomeOf(async () => local[given.command](given as never));
          const answer = await outcomeOf(() => ours.run(given));
          expect(comparable(answer, expected), JSON.stringify(given)).toEqual(comparable(expected, expected));
          counts[expected.isLeak ? "leaks" : "equal"] += 1;
          removeEmptyFolders(join(folder, "memories"));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    {
      numRuns: Number(process.env.RECOLLECT_RUNS ?? 1) * 10,
      seed: Number(process.env.RECOLLECT_SEED ?? 20260131),
    },
  );
  if (process.env.RECOLLECT_RUNS) process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(counts.equal).toBeGreaterThan(100);
});

/** A model that calls the tool with one input after another, then ends. Returns the results that it was given. */
async function turnWith(inputs: readonly MemoryCommand[], tool: ReturnType<typeof memoryTool>) {
  const results: { content: unknown; is_error?: boolean }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    // The runner continues a thread on the service's side: it sends only what is new.
    const [last] = messages.at(-1).content;
    if (last.type === "tool_result") results.push(last);
    const input = inputs[results.length];
    const content = input
      ? [{ type: "tool_use", id: `t${results.length}`, name: "memory", input }]
      : [{ type: "text", text: "Done." }];
    const stop_reason = input ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1 };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: `m${results.length}`,
        type: "message",
        role: "assistant",
        content,
        stop_reason,
        usage,
      }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const anthropic = new Anthropic({ apiKey: "none", baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
  const answer = await anthropic.beta.messages.toolRunner({
    model: "scripted",
    max_tokens: 100,
    messages: [{ role: "user", content: "Use your memory." }],
    tools: [tool],
  });
  expect(answer.content).toMatchObject([{ type: "text", text: "Done." }]);
  return results;
}

test("a turn of the SDK's runner writes, corrects and reads a file that others can search", async () => {
  const { client } = watchedClient();
  const path = "/memories/people/odalys.md";
  const results = await turnWith(
    [
      { command: "create", path, file_text: "Odalys keeps falcons.\n" },
      { command: "str_replace", path, old_str: "falcons", new_str: "kestrels" },
      { command: "view", path: "/memories" },
      { command: "view", path: "/memories/absent" },
    ],
    memoryTool(client, { path: "turn-files" }),
  );
  expect(results.map(({ content }) => content)).toEqual([
    `File created successfully at: ${path}`,
    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tOdalys keeps kestrels.\n     2\t",
    "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n4K\t/memories\n4K\t/memories/people/\n23B\t/memories/people/odalys.md",
    "Error: The path /memories/absent does not exist. Please provide a valid path.",
  ]);
  const { results: found } = await client.searchMemories({ query: "Who keeps kestrels?", limit: 3 });
  const file = found.find(({ path: at }) => at === "turn-files/people/odalys.md");
  expect(file).toMatchObject({ metadata: { file: "people/odalys.md" } });
  const { versions } = await client.listVersions({ memory_id: String(file?.id) });
  expect(versions.map(({ content }) => content)).toEqual([
    "Odalys keeps kestrels.\n",
    "Odalys keeps falcons.\n",
  ]);
});

test("ten writers at once lose nothing that was called done", async () => {
  const { client } = watchedClient();
  const options = { path: "written-at-once" };
  const path = "/memories/log.txt";
  const first = memoryTool(client, options);
  await first.run({ command: "create", path, file_text: "" });
  const done: string[] = [];
  const write = async (writer: number) => {
    const tool = memoryTool(client, options);
    for (const at of [1, 2, 3]) {
      const insert_text = `writer ${writer}, line ${at}`;
      const outcome = await outcomeOf(() =>
        tool.run({ command: "insert", path, insert_line: 0, insert_text }),
      );
      if (outcome.answer) done.push(insert_text);
      else expect(outcome.error).toMatch(/try (it )?again/);
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)));
  const { answer = "" } = await outcomeOf(() => first.run({ command: "view", path }));
  const lines = answer
    .split("\n")
    .slice(1, -1)
    .map((each) => each.split("\t")[1] ?? "");
  for (const each of done) expect(lines.filter((other) => other === each)).toHaveLength(1);
  expect(done.length).toBeGreaterThanOrEqual(10);
});

test("of ten who create a deleted file anew, one is told that it did, and its text is there", async () => {
  const { client } = watchedClient();
  const tool = memoryTool(client, { path: "created-at-once", timeoutMs: 20_000 });
  const path = "/memories/a";
  await tool.run({ command: "create", path, file_text: "old" });
  await tool.run({ command: "delete", path });
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      outcomeOf(() => tool.run({ command: "create", path, file_text: `new ${at}` })),
    ),
  );
  expect(outcomes.filter(({ error }) => error === `File ${path} already exists`)).toHaveLength(9);
  const winner = outcomes.findIndex(({ answer }) => answer !== undefined);
  expect(await tool.run({ command: "view", path })).toMatch(new RegExp(`\tnew ${winner}$`));
});

test("a file that a person forgot can be created anew, and a team's file is not the user's", async () => {
  const { client } = watchedClient();
  const { team: teamId } = inject("server");
  const [own, team] = [memoryTool(client, { path: "owned" }), memoryTool(client, { path: "owned", teamId })];
  const path = "/memories/a";
  await own.run({ command: "create", path, file_text: "mine" });
  await team.run({ command: "create", path, file_text: "ours" });
  const [memory] = (await client.listMemories({ path: "owned/a", scope: "private" })).memories;
  await client.forgetMemory({ memory_id: String(memory?.id) });
  await expect(own.run({ command: "view", path })).rejects.toThrow("does not exist");
  for (const file_text of ["mine", "again"]) {
    await own.run({ command: "create", path, file_text });
    expect(await own.run({ command: "view", path })).toContain(`\t${file_text}`);
    if (file_text === "mine") await client.forgetMemory({ memory_id: String(memory?.id) });
  }
  expect(await team.run({ command: "view", path })).toContain("\tours");
});

test("a secret is replaced, and the model is told so; too much text is refused in words", async () => {
  const { client } = watchedClient();
  const tool = memoryTool(client, { path: "secrets" });
  const path = "/memories/login";
  const secret = `ghp_${"Ab3dE6gH9j".repeat(4).slice(0, 36)}`;
  const answer = await tool.run({ command: "create", path, file_text: `The token is ${secret}.` });
  expect(answer).toMatch(
    /^File created successfully at: \S+\nSecrets are not stored: the file has \[secret:/,
  );
  expect(await tool.run({ command: "view", path })).not.toContain(secret);
  const file_text = "x".repeat(65_537);
  await expect(tool.run({ command: "create", path: "/memories/b", file_text })).rejects.toThrow(
    "more than the maximum of 65536",
  );
});

test("a turn goes on without the service: down at once, silent within the time", async () => {
  const down = await turnWith([{ command: "view", path: "/memories" }], memoryTool(lostClient()));
  expect(down[0]).toMatchObject({ is_error: true });
  expect(down[0]?.content).toMatch(/^Error: The memory service failed\./);
  const baseUrl = inject("server").url;
  const silent = createClient({ baseUrl, apiKey: "none", fetch: () => new Promise(() => {}) });
  const before = performance.now();
  const tool = memoryTool(silent, { timeoutMs: 200 });
  const [late] = await turnWith([{ command: "delete", path: "/memories/a" }], tool);
  expect(late?.content).toMatch(/did not answer in time\. If this was a change, view the file/);
  expect(performance.now() - before).toBeLessThan(2000);
  const stop = AbortSignal.abort(new Error("stopped"));
  await expect(tool.run({ command: "view", path: "/memories" }, { signal: stop })).rejects.toThrow("stopped");
});
