import { findModelPackage, type ModelPackage, openModelFile } from "../model-package.ts";

const PACKAGE = {
  name: "@recollect/multilingual",
  version: "0.1.0",
  files: {
    "model.safetensors": "0354e0f54c2e579c99a3c69747406e8ac37ab4ac8f684ba33b7750c33a1ff481",
    "languages.safetensors": "c623318f6ea7c0b34fb65a8afd45cf076273953dd3a490e613a8725cac8f5ff9",
    "kernel.wasm": "2f8660a771f8562344c79cffbd9ed5b5cac4b0bf5e503952aec7f24a107a6d8d",
  },
  error: (message: string) => new MultilingualEncoderError(message),
} satisfies ModelPackage<string>;

/** Returns the package's folder, null if it is not installed. */
export const findPackage = () => findModelPackage(PACKAGE);

/** Opens a file of the package. Throws `MultilingualEncoderError` if it cannot be read or is another version's. */
export const openPackageFile = (folder: string, file: keyof typeof PACKAGE.files) =>
  openModelFile(PACKAGE, folder, file);

/** Reads the program of the matrix products. Throws like `openPackageFile`. */
export function readKernel(folder: string): Uint8Array {
  const file = openPackageFile(folder, "kernel.wasm");
  const program = new Uint8Array(file.length);
  file.read(0, program);
  file.close();
  return program;
}

/** The multilingual encoder cannot run. The message says why and what to do, and contains no text. */
export class MultilingualEncoderError extends Error {
  override readonly name = "MultilingualEncoderError";
}
