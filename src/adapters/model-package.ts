import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A package of this project that is a model as data. It is published beside the service, which works without it and takes
 * one version of it: vectors of different models cannot be compared.
 */
export interface ModelPackage<File extends string> {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of each file. Another file needs another generation of vectors. */
  readonly files: Readonly<Record<File, string>>;
  /** Makes the error to throw for a file that cannot be read or is another version's. */
  error(message: string): Error;
}

/** Returns the package's folder: its place in a checkout or where npm installed it. Null if it is not installed. */
export function findModelPackage<File extends string>({ name, files }: ModelPackage<File>): string | null {
  const inCheckout = fileURLToPath(new URL(`../../packages/${name.split("/").at(-1)}`, import.meta.url));
  if (Object.keys(files).every((file) => existsSync(join(inCheckout, file)))) return inCheckout;
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

/** Reads a file of the package in this folder. Throws if it cannot be read or is another version's. */
export async function readModelFile<File extends string>(
  model: ModelPackage<File>,
  folder: string,
  file: File,
): Promise<Uint8Array> {
  const { name, version, files, error } = model;
  const wayOut = `install it again with \`${installCommand(model)}\`, or remove the package.`;
  const path = join(folder, file);
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw error(`${path} could not be read (${cause.code}): ${wayOut}`);
  });
  if (createHash("sha256").update(bytes).digest("hex") !== files[file])
    throw error(`${path} is not the file of ${name} ${version}: ${wayOut}`);
  return bytes;
}

export function installCommand({ name, version }: ModelPackage<string>): string {
  return `npm install ${name}@${version}`;
}
