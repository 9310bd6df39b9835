import { findModelPackage, type ModelPackage, readModelFile } from "../model-package.ts";

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

/** Reads a file of the package. Throws `MultilingualEncoderError` if it cannot be read or is another version's. */
export const readPackageFile = (folder: string, file: keyof typeof PACKAGE.files) =>
  readModelFile(PACKAGE, folder, file);

/** The multilingual encoder cannot run. The message says why and what to do, and contains no text. */
export class MultilingualEncoderError extends Error {
  override readonly name = "MultilingualEncoderError";
}
