/**
 * Every block of code of the documents does what it shows, in the order of its page, against a server as users start it; what
 * cannot be run says why in a comment before it. `sh` is run, a file that `ts` or `python` begins with is written first,
 * `json` is parsed, and `text` is what the block before it prints.
 *
 * Of a group of tabs each is run, and each prints what the `text` after it says: `ts` that makes no
 * client after the lines by which the page's first one does, `json` as calls of MCP tools. Python's are run by packages/python/tests/test_documents.py.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { home, KEY, startServer } from "../support/server.ts";
import { type Block, blocksOf } from "./support/blocks.ts";
import { pages } from "./support/pages.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
/** Languages that tests run. */
const RUN = ["sh", "ts", "python"];
const KNOWN = [...RUN, "json", "text"];

const blocks = pages.flatMap((page) =>
  blocksOf(join(repository, page)).map((block) => ({ ...block, at: `${page}:${block.line}` })),
);
const pagesWithCode = pages.filter((page) =>
  blocks.some(({ at, lang, notRun }) => at.startsWith(`${page}:`) && RUN.includes(lang) && notRun === null),
);

test("every block is of a kind that is run or read, or says why it is not", () => {
  expect(blocks.length).toBeGreaterThan(40);
  const odd = blocks.filter(({ lang, notRun }) => !KNOWN.includes(lang) && notRun === null);
  expect(odd.map(({ at, lang }) => `${at} ${lang}`)).toEqual([]);
});

describe.each(blocks.filter(({ lang, notRun }) => lang === "json" && notRun === null))("$at", ({ code }) => {
  test("is JSON", () => {
    for (const value of code.trim().split(/\n(?=\{)/)) expect(() => JSON.parse(value)).not.toThrow();
  });
});

// As the install of a clone does.
beforeAll(() => {
  execFileSync(process.execPath, [join(repository, "packages/client/build.js"), "--if-changed"]);
});

/** The folder that a reader would be in: the repository's, but that what is written there is gone afterwards. */
function checkout(): string {
  mkdirSync(join(repository, ".data"), { recursive: true });
  const folder = mkdtempSync(join(repository, ".data/documents-"));
  for (const name of readdirSync(repository).filter((entry) => !/^(?:\.data|\.git)$/.test(entry)))
    symlinkSync(join(repository, name), join(folder, name));
  const command = `#!/bin/sh\nexec "${process.execPath}" "${join(repository, "bin/recollect.js")}" "$@"\n`;
  writeFileSync(join(folder, "recollect"), command, { mode: 0o755 });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Calls the MCP tool that a line names, and returns the answer as the model reads it. */
async function callTool(url: string, line: string): Promise<string> {
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: JSON.parse(line) }),
  });
  const said = await answer.text();
  if (said.includes('"isError":true')) throw new Error(said);
  return said;
}

/** The text of a file that a block is, by the name in its first line. */
const fileNameOf = ({ code }: Block) => /^(?:\/\/|#) (\S+\.(?:ts|py))\n/.exec(code)?.[1];

test.each(pagesWithCode)("what %s shows happens", { timeout: 300_000 }, async (page) => {
  const at = await home();
  const { url } = await startServer(at, "node");
  const folder = checkout();
  const { PATH = "" } = process.env;
  const env = {
    PATH: [folder, join(repository, "node_modules/.bin"), PATH].join(":"),
    // What a page puts into the reader's home goes with the folder.
    HOME: folder,
    RECOLLECT_URL: url,
    RECOLLECT_API_KEY: KEY,
    KEY,
    DATA_DIR: at.dataDir,
    ...(at.url && { DATABASE_URL: at.url }),
  };
  /** One command after the other in a reader's terminal: what a block exports is there in the next. */
  const sh = (code: string) => {
    const inTerminal = `[ ! -f .exports ] || . ./.exports\n${code}\nexport -p > .exports`;
    return promisify(execFile)("sh", ["-euc", inTerminal.replaceAll("http://127.0.0.1:8787", url)], {
      cwd: folder,
      env,
    });
  };
  let preamble = "";
  const runTab = async ({ lang, code, line }: Block): Promise<string> => {
    if (lang === "json") {
      const answers: string[] = [];
      for (const call of code.trim().split("\n")) answers.push(await callTool(url, call));
      return answers.join("\n");
    }
    if (lang === "sh") return (await sh(code)).stdout;
    const own = /^[\s\S]*?createClient\(\{[\s\S]*?\}\);\n/.exec(code)?.[0];
    writeFileSync(join(folder, `tab-${line}.ts`), own === undefined ? preamble + code : code);
    preamble ||= own ?? "";
    return (await sh(`npx tsx tab-${line}.ts`)).stdout;
  };
  /** What the last block printed, or each tab of the last group. */
  let printed: { group: number; texts: string[] } = { group: 0, texts: [] };
  for (const block of blocksOf(join(repository, page)).filter(({ notRun }) => notRun === null)) {
    const place = `${page}:${block.line}`;
    if (block.lang === "text") {
      for (const line of block.code.split("\n").filter((one) => one.trim() !== ""))
        for (const text of printed.texts)
          expect(text, `what is printed before ${place}`).toContain(line.trim());
      continue;
    }
    if (block.group > 0) {
      if (block.group !== printed.group) printed = { group: block.group, texts: [] };
      if (block.lang === "python") continue;
      const text = await runTab(block).catch((error: { stderr?: string }) => {
        throw new Error(`${place} failed:\n${error}\n${error.stderr ?? ""}`);
      });
      printed.texts.push(text);
      continue;
    }
    if (!RUN.includes(block.lang)) continue;
    const name = fileNameOf(block);
    if (name !== undefined) {
      writeFileSync(join(folder, name), block.code);
      continue;
    }
    expect(block.lang, `${place} is a program without a file name in its first line`).toBe("sh");
    const { stdout, stderr } = await sh(block.code).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${place} failed:\n${error.stdout}\n${error.stderr}`);
    });
    printed = { group: 0, texts: [stdout + stderr] };
  }
});
