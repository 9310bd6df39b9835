import { type ArgsDef, type CommandDef, defineCommand } from "citty";

/** A command, or a group of them. Exit statuses are answered, not thrown: undefined is 0. */
export interface Command {
  readonly definition: CommandDef;
  /** What `--help` says below the flags: examples, defaults, what is printed. */
  readonly notes: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** Other names of it. */
  readonly aliases: readonly string[];
}

export const json = {
  json: { type: "boolean", description: "Print JSON on standard output, and nothing else there" },
} as const satisfies ArgsDef;

export function command<const T extends ArgsDef>(
  definition: CommandDef<T>,
  how: { notes?: string; aliases?: readonly string[] } = {},
): Command {
  return {
    definition: defineCommand(definition) as unknown as CommandDef,
    notes: how.notes ?? "",
    aliases: how.aliases ?? [],
    commands: {},
  };
}

export function group(
  meta: { name: string; description: string; version?: string },
  commands: Readonly<Record<string, Command>>,
  notes = "",
): Command {
  const subCommands = Object.fromEntries(
    Object.entries(commands).map(([name, { definition }]) => [name, definition]),
  );
  return { definition: defineCommand({ meta, subCommands }) as CommandDef, notes, commands, aliases: [] };
}
