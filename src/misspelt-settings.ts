import { settingNames } from "./config.ts";
import { KnownNames } from "./core/unknown-members.ts";

/** Shorter settings, such as HOST, are a letter away from too much. */
const COMPARED = new KnownNames(settingNames.filter((name) => name.length >= 5));

/**
 * A sentence for each variable of the environment that looks like a setting misspelt, by the rule for members of requests.
 * Names only, never values.
 */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return COMPARED.unknownOf(Object.keys(env)).misspelt.map(
    ({ name, meant }) => `${name} is no setting and has no effect: is ${meant} meant?`,
  );
}
