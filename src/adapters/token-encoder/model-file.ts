import type { TokenGeneration } from "../../core/embedding/token-encoder.ts";
import { findModelPackage, installCommand, type ModelPackage, openModelFile } from "../model-package.ts";

/** The generation of the one model file. Another file needs another name, since their vectors cannot be compared. */
export const TOKEN_GENERATION: TokenGeneration = { model: "all-MiniLM-L6-v2-tokens-2", dimension: 64 };

const FILE = "token-model.onnx";

const PACKAGE = {
  name: "@recollect/token-model",
  version: "0.1.0",
  files: { [FILE]: "492950d1a2eb911f7a6f104398cd740a575fd586d8a700ae7a041c6ba382eea8" },
  error: (message: string) => new TokenModelError(message),
} satisfies ModelPackage<string>;

/**
 * Returns the path of the model, after reading it once, 23 MB. Throws `TokenModelError` if its package is not installed, or
 * the file is not the model of `TOKEN_GENERATION`.
 */
export async function findModelFile(folder = findModelPackage(PACKAGE)): Promise<string> {
  if (folder === null)
    throw new TokenModelError(
      `The package ${PACKAGE.name} is not installed: run \`${installCommand(PACKAGE)}\`, or leave the model out.`,
    );
  const file = openModelFile(PACKAGE, folder, FILE);
  file.close();
  return file.path;
}

/** The token model cannot run. The message says why and what to do, and contains no text. */
export class TokenModelError extends Error {
  override readonly name = "TokenModelError";
}
