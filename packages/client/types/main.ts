/** Writes the client's types and its table of operations anew: `npm run client:types`. */
import { writeFileSync } from "node:fs";
import { generatedFiles } from "./files.ts";

for (const [path, content] of Object.entries(generatedFiles())) writeFileSync(path, content);
