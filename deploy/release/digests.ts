import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file of a folder with its size and SHA-256, by name. */
export function digestsOf(folder: string): { name: string; bytes: number; sha256: string }[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const content = readFileSync(join(folder, name));
      return { name, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
    });
}
