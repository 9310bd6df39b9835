import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { print, printJson, say, table, writeOut } from "../../src/cli/terminal.ts";
import { rewriteLine, writeLines } from "../../src/compose/printable.ts";

/** Line breaks aside, whatever a terminal obeys or shows as nothing. */
const STEERING = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\u001b[2J", "\u001b]0;owned\u0007", "\u009b31m", "\u202e", "\r", "\u0008", "\u2028"),
);

test("whatever text is printed, by whichever way, steers no terminal", async () => {
  const written: string[] = [];
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => written.push(String(text)) > 0),
  );
  const isTerminal = process.stdout.isTTY;
  process.stdout.isTTY = true;
  try {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        print(text);
        say(text);
        printJson({ [text]: text });
        print(table([text, "name"], [[text, text]], 40));
        writeLines("stderr", text);
        await writeOut(`${JSON.stringify({ [text]: text })}\n`);
        rewriteLine(text);
        const line = written.pop() ?? "";
        expect(line.startsWith("\r\u001b[2K")).toBe(true);
        expect(line.slice("\r\u001b[2K".length)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        for (const one of written.splice(0)) expect(one).not.toMatch(STEERING);
      }),
    );
  } finally {
    process.stdout.isTTY = isTerminal;
    for (const spy of spies) spy.mockRestore();
  }
});

test("no other file writes to a terminal, or lets the runtime do so", () => {
  const source = fileURLToPath(new URL("../../src/", import.meta.url));
  const writes = /process\.(?:stdout|stderr)\.write|process\[\w+\]\.write|\bconsole\.|emitWarning|_rawDebug/;
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && writes.test(readFileSync(join(source, name), "utf8")),
  );
  expect(files.map((name) => name.replaceAll("\\", "/")).sort()).toEqual([
    // A process of its own, whose output is read by the one that starts it.
    "adapters/peer-stores/print-sqlite-rows.ts",
    "compose/printable.ts",
  ]);
});
