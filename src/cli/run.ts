import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandMeta, renderUsage, runCommand } from "citty";
import { SERVICE_VERSION } from "../contract/service.ts";
import type { Command } from "./command.ts";
import { explain, UsageError } from "./failure.ts";
import { isDebugging } from "./open.ts";
import { print, say } from "./terminal.ts";
import { didYouMean, requireUsage } from "./usage.ts";

/** Runs the command that the arguments name. Resolves to the exit status: 0, 1 (failed) or 2 (usage). */
export async function run(root: Command, args: readonly string[]): Promise<number> {
  const chosen = { path: [nameOf(root)], command: root, rest: args };
  try {
    choose(chosen);
    if (wantsHelp(chosen.rest)) {
      print(await helpOf(chosen));
      return 0;
    }
    if (chosen.command === root && chosen.rest[0] === "--version") {
      print(SERVICE_VERSION);
      return 0;
    }
    requireUsage(chosen.rest, argsOf(chosen.command));
    requireRunnable(chosen);
    const { result } = await runCommand(chosen.command.definition, { rawArgs: [...chosen.rest] });
    return typeof result === "number" ? result : 0;
  } catch (error) {
    return report(error, chosen.path);
  }
}

interface Chosen {
  path: string[];
  command: Command;
  rest: readonly string[];
}

/** Follows the names into the groups, as far as they go. */
function choose(chosen: Chosen): void {
  for (;;) {
    const [name] = chosen.rest;
    const names = Object.keys(chosen.command.commands);
    if (names.length === 0 || name === undefined || name.startsWith("-")) return;
    const found = Object.entries(chosen.command.commands).find(
      ([own, { aliases }]) => own === name || aliases.includes(name),
    );
    if (!found)
      throw new UsageError(
        `There is no command ${[...chosen.path, name].join(" ")}.${didYouMean(name, names)}`,
      );
    chosen.path = [...chosen.path, name];
    chosen.command = found[1];
    chosen.rest = chosen.rest.slice(1);
  }
}

function requireRunnable({ command, path }: Chosen): void {
  if (command.definition.run) return;
  throw new UsageError(
    `Name a command: ${Object.keys(command.commands)
      .map((name) => [...path.slice(1), name].join(" "))
      .join(", ")}.`,
  );
}

function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

async function helpOf({ command, path }: Chosen): Promise<string> {
  const meta = { ...(command.definition.meta as CommandMeta), name: path.at(-1) ?? "" };
  const parent = path.length > 1 ? { meta: { name: path.slice(0, -1).join(" ") } } : undefined;
  const usage = (await renderUsage({ ...command.definition, meta }, parent)).trimEnd();
  const text = command.notes === "" ? usage : `${usage}\n\n${command.notes.trim()}`;
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}

function report(error: unknown, path: readonly string[]): number {
  if (error instanceof UsageError) {
    say(`${error.message}\nSee ${path.join(" ")} --help.`);
    return 2;
  }
  say(explain(error));
  if (isDebugging() && error instanceof Error) say(error.stack ?? "");
  return 1;
}

function nameOf(command: Command): string {
  return (command.definition.meta as CommandMeta).name ?? "";
}

function argsOf(command: Command): ArgsDef {
  return (command.definition.args ?? {}) as ArgsDef;
}
