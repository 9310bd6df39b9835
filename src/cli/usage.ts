import { parseArgs } from "node:util";
import type { ArgsDef } from "citty";
import { UsageError } from "./failure.ts";

/**
 * Refuses what citty would let pass: unknown flags, flags without their value, arguments too many or too few. Throws a
 * `UsageError` with a hint; resolves nothing, since citty reads the values.
 */
export function requireUsage(args: readonly string[], definitions: ArgsDef): void {
  const flags = Object.entries(definitions).filter(([, definition]) => definition.type !== "positional");
  const options = Object.fromEntries(
    flags.map(([name, { type }]) => [name, { type: type === "boolean" ? "boolean" : "string" } as const]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "option") requireFlag(token, options);
  }
  const wanted = Object.entries(definitions).filter(([, definition]) => definition.type === "positional");
  const missing = wanted.find(
    ([, definition], index) => definition.required !== false && !positionals[index],
  );
  if (missing) throw new UsageError(`${missing[0].toUpperCase()} is missing.`);
  const extra = positionals[wanted.length];
  if (extra !== undefined) throw new UsageError(`There is an argument too many: ${extra}.`);
  requireFlags(
    flags,
    tokens.flatMap((token) => (token.kind === "option" ? [token.name] : [])),
  );
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function requireFlag(
  token: FlagToken,
  options: Readonly<Record<string, { type: "boolean" | "string" }>>,
): void {
  const negated = token.rawName.startsWith("--no-") ? options[token.name.slice("no-".length)] : undefined;
  const definition = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (!definition) {
    if (negated?.type === "boolean" && token.value === undefined) return;
    throw new UsageError(
      `There is no flag ${token.rawName}.${didYouMean(token.name, Object.keys(options), "--")}`,
    );
  }
  if (definition.type === "boolean") {
    if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
    return;
  }
  const isFlagLike = token.value?.startsWith("-") && token.value !== "-" && !token.inlineValue;
  if (token.value === undefined || token.value.trim() === "" || isFlagLike)
    throw new UsageError(`${token.rawName} needs a value.`);
}

function requireFlags(flags: readonly [string, ArgsDef[string]][], given: readonly string[]): void {
  for (const [name, definition] of flags) {
    const times = given.filter((other) => other === name).length;
    if (times > 1) throw new UsageError(`--${name} is given ${times} times: give it once.`);
    if (times === 0 && definition.required) throw new UsageError(`--${name} is missing.`);
  }
}

/** " Did you mean x?", or nothing where nothing is near. */
export function didYouMean(name: string, known: readonly string[], prefix = ""): string {
  const near = known
    .map((other) => ({ other, distance: distanceOf(name, other) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.ceil(near.other.length / 3)
    ? ` Did you mean ${prefix}${near.other}?`
    : "";
}

/** Levenshtein's: how many letters to add, drop or replace. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, swap));
    }
    row = next;
  }
  return row[b.length] as number;
}
