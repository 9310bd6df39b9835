/** What the client is made of, and how much of it there is. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { generatedFiles } from "../../packages/client/types/files.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

test("its types and its table are those of the contract: `npm run client:types` makes them anew", () => {
  for (const [path, content] of Object.entries(generatedFiles())) {
    expect(readFileSync(path, "utf8"), path).toBe(content);
  }
});

/** Gzipped, as a bundler makes it of what a program imports. */
function sizeOf(imports: string): number {
  const folder = mkdtempSync(join(tmpdir(), "client-size-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entry = join(folder, "entry.ts");
  writeFileSync(entry, `export { ${imports} } from "${repository}src/client/index.ts";\n`);
  writeFileSync(join(folder, "package.json"), '{"type":"module","sideEffects":false}');
  const bun = join(repository, "node_modules/.bin/bun");
  const code = execFileSync(bun, ["build", entry, "--minify", "--target=browser"], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return gzipSync(code, { level: 9 }).length;
}

test("all of it is at most 16 KiB, gzipped", () => {
  expect(sizeOf("createClient, createWorkflow, isRecollectError, RecollectError")).toBeLessThanOrEqual(
    16 * 1024,
  );
});
