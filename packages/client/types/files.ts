import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeTable, writeTypes } from "./write-types.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** The files of the client that are made from the contract, by their paths, as they should be. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    [join(repository, "src/client/contract.ts")]: formatted(writeTypes()),
    [join(repository, "src/client/operations.ts")]: formatted(writeTable()),
  };
}

function formatted(code: string): string {
  const biome = join(repository, "node_modules/.bin/biome");
  return execFileSync(biome, ["format", "--stdin-file-path=src/client/made.ts"], {
    cwd: repository,
    input: code,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
}
