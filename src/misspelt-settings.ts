import { settingNames } from "./config.ts";

/** Shorter names are a letter away from too much. */
const LETTERS_MIN = 5;

/**
 * A sentence for each variable of the environment that looks like a setting misspelt: one letter more, less or other, or
 * another case or `-` for `_`. Names only, never values. Short names such as HOST are compared with nothing.
 */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).flatMap((name) => {
    if (settingNames.includes(name)) return [];
    const meant = settingNames.find((known) => isMisspelt(name, known));
    return meant === undefined ? [] : [`${name} is no setting and has no effect: is ${meant} meant?`];
  });
}

function isMisspelt(name: string, known: string): boolean {
  if (name.length < LETTERS_MIN || known.length < LETTERS_MIN) return false;
  return plain(name) === plain(known) || isOneEditAway(name, known);
}

function plain(name: string): string {
  return name.toUpperCase().replace(/[-_]/g, "");
}

/** One letter added, left out or replaced. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(a, same + 1) === rest(b, same + 1) ||
    rest(a, same + 1) === rest(b, same) ||
    rest(a, same) === rest(b, same + 1)
  );
}
