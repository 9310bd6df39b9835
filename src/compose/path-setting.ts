import { homedir } from "node:os";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";

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
