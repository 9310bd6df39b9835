import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { pathIn } from "./path-setting.ts";

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
