import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { z } from "zod";

const NAMED_HOME =
  "must not begin with ~ and a name: write the whole path, or ./~name for a folder that is called so";
const NO_HOME = "must be a whole path, since this user has no home folder that ~ could stand for";

/** A path as somebody wrote it. `~` is expanded here, since no shell expands it in a file of settings or behind `=`. */
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

/** The path that a setting names. `ConfigError` if it cannot be one. */
export function pathIn(given: string, setting: string): string {
  const parsed = path.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`${setting}: ${parsed.error.issues[0]?.message}.`);
}

/** A setting that is not valid. The message names it and says what it may be; it never holds the value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The certificates of a PEM file that a setting names. `ConfigError` without anything of its content. */
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
 * Marks a setting whose value is nobody's business but the service's. Each of them is also read from a file, which
 * `NAME_FILE` names: that is where Docker and Kubernetes put secrets.
 */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ isSecret: true }) as Schema;
}

/** The names of the settings in a shape that are marked. */
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

/** The environment with what the files of its secrets hold, read now. An empty variable is none. */
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

/** More is no secret, but a file that was named by mistake. */
const FILE_BYTES_MAX = 64 * 1024;

/** One line break at the end belongs to the file: editors and `echo` put it there. */
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

/** Settings that every provider behind a network has: its address, its model, and what it is paid with. */

/** Below it the paths of its API. */
export const baseUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    error: "must hold no credentials",
  })
  .refine((url) => new URL(url).search === "" && new URL(url).hash === "", {
    error: "must be without a query and a fragment",
  });

export const model = z.string().min(1).max(256);

/** Characters that a header can carry. */
export const apiKey = secret(z.string().regex(/^[\x21-\x7e]+$/));
