import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { z } from "zod";

const NAMED_HOME =
  "must not begin with ~ and a name: write the whole path, or ./~name for a folder that is called so";
const NO_HOME = "must be a whole path, since this user has no home folder that ~ could stand for";

/** A path. `~` is expanded here, since shells do not expand it in a settings file or after `=`. */
export const path = z
  .string()
  .min(1)
  .transform((given, context) => {
    const problem = /^~[^/]/.test(given) ? NAMED_HOME : given.startsWith("~") && !hasHome() ? NO_HOME : null;
    if (problem === null) return given.replace(/^~(?=\/|$)/, () => homedir());
    context.issues.push({ code: "custom", message: problem, input: given });
    return z.NEVER;
  });

function hasHome(): boolean {
  try {
    return homedir() !== "";
  } catch {
    return false;
  }
}

/** Parses the path in a setting. Throws `ConfigError` if it is invalid. */
export function pathIn(given: string, setting: string): string {
  const parsed = path.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`${setting}: ${parsed.error.issues[0]?.message}.`);
}

/** An invalid setting. The message names the setting and what it may be, but never its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the certificates of the PEM file in a setting. Throws `ConfigError`, which reveals nothing of the content. */
export function certificatesIn(path: string, setting: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch {
    throw new ConfigError(`${setting}: this file cannot be read.`);
  }
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw new ConfigError(`${setting}: this file holds no certificate in PEM.`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Marks a setting as a secret. It can also be read from the file named by `NAME_FILE`, as with secrets of Docker and
 * Kubernetes.
 */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ isSecret: true }) as Schema;
}

export function secretsIn(shape: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.keys(shape).filter((name) => isSecret(shape[name] as z.ZodType));
}

function isSecret(schema: z.ZodType): boolean {
  if (schema.meta()?.isSecret === true) return true;
  return schema instanceof z.ZodOptional && isSecret(schema.unwrap() as z.ZodType);
}

export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

/** Returns the environment with the contents of its secret files. Empty variables count as absent. */
export function withSecretFiles(env: Environment, secrets: readonly string[]): Environment {
  const read = secrets.flatMap((name) => {
    const setting = fileSettingOf(name);
    const path = env[setting];
    if (!path) return [];
    if (env[name]) throw new ConfigError(`${name} and ${setting} are both set: keep only one of them.`);
    return [[name, secretFrom(pathIn(path, setting), setting)]];
  });
  return { ...env, ...Object.fromEntries(read) };
}

/** A larger file is not a secret but was named by mistake. */
const FILE_BYTES_MAX = 64 * 1024;

/** Drops one trailing line break, which editors and `echo` add. */
function secretFrom(path: string, setting: string): string {
  let text: string;
  try {
    if (statSync(path).size > FILE_BYTES_MAX)
      throw new ConfigError(`${setting}: this file is larger than 64 KiB.`);
    text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${setting}: this file cannot be read.`);
  }
  if (text === "") throw new ConfigError(`${setting}: this file is empty.`);
  return text;
}

/** Settings of every remote provider: address, model and key. */

/** The base of the API's paths. */
export const baseUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    error: "must hold no credentials",
  })
  .refine((url) => new URL(url).search === "" && new URL(url).hash === "", {
    error: "must be without a query and a fragment",
  });

export const model = z.string().min(1).max(256);

/** Only characters that a header can carry. */
export const apiKey = secret(z.string().regex(/^[\x21-\x7e]+$/));
