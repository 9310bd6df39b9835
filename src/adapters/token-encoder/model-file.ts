import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { TokenGeneration } from "../../core/embedding/token-encoder.ts";

/** The generation of the one model file. Another file needs another name, since their vectors cannot be compared. */
export const TOKEN_GENERATION: TokenGeneration = { model: "all-MiniLM-L6-v2-tokens-2", dimension: 64 };

/** The file that comes with the service. */
export const MODEL_FILE = fileURLToPath(new URL("../../../models/token-model.onnx", import.meta.url));

const SHA256 = "492950d1a2eb911f7a6f104398cd740a575fd586d8a700ae7a041c6ba382eea8";

const WAY_OUT = "make it as models/token-model/README.md says, or leave the model out.";

/** Reads the file once, 23 MB. Throws `TokenModelError` where it is not there, or is not the model of `TOKEN_GENERATION`. */
export async function checkModelFile(path: string): Promise<void> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest).catch((error: NodeJS.ErrnoException) => {
    throw new TokenModelError(`The token model ${path} could not be read (${error.code}): ${WAY_OUT}`, {
      cause: error,
    });
  });
  if (digest.digest("hex") !== SHA256)
    throw new TokenModelError(`${path} is not the token model of this version: ${WAY_OUT}`);
}

/** The token model cannot run. The message says why and what to do, and contains no text. */
export class TokenModelError extends Error {
  override readonly name = "TokenModelError";
}
