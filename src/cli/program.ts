import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { printableLines } from "../compose/printable.ts";
import { SERVICE_NAME, SERVICE_VERSION } from "../contract/service.ts";
import { addAgents } from "./agents.ts";
import { addConnect } from "./connect/connect.ts";
import { addKeys, addSkills } from "./credentials.ts";
import { addDoctor } from "./doctor.ts";
import { addErasures } from "./erase.ts";
import { addEval } from "./eval.ts";
import { addExport } from "./export.ts";
import { CommandFailure, explain } from "./failure.ts";
import { addImport } from "./import.ts";
import { addMigrate } from "./migrate.ts";
import { isDebugging } from "./open.ts";
import { notOneOf } from "./options.ts";
import { addRetention } from "./retention.ts";
import { addReembed, addReindex } from "./search-index.ts";
import { addTeams } from "./teams.ts";
import { say } from "./terminal.ts";
import { addUsage } from "./usage.ts";
import { addUsers } from "./users.ts";

const NOTES = `
Without a command, the service starts, as with recollect serve.

Commands use the database that DATA_DIR or DATABASE_URL names. They can run
while a server is running. The exit status is 0 (success), 1 (failure) or
2 (wrong usage). LOG_LEVEL=debug shows where a failure came from.

Examples:
  recollect doctor
  recollect keys create --owner alice
  recollect export backup.jsonl`;

/** Runs the command that the arguments name. Resolves to the exit status: 0, 1 (failure) or 2 (usage error). */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const program = createProgram();
    const parsed = args.length === 0 ? ["serve"] : withoutMissingHelp(program, args);
    const meant = CALLED_OTHERWISE.get(parsed[0] ?? "");
    if (meant !== undefined) program.error(`error: unknown command '${parsed[0]}'\n(${meant})`);
    await program.parseAsync(parsed, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandFailure && error.isReported) return 1;
    // The message may come from another program, and contains file names as they were typed.
    say(printableLines(explain(error)));
    if (isDebugging() && error instanceof Error) say(printableLines(error.stack ?? ""));
    return 1;
  }
}

/** Hints for names that other programs use for such commands. */
const CALLED_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ["backup", "recollect export FILE makes a backup; docs/operations/backup.md has more."],
  ["restore", "recollect import FILE restores an export; docs/operations/backup.md has more."],
]);

/**
 * The arguments. If they ask for the help of a command that does not exist, only its name, so that an error is shown
 * instead of the help of all commands.
 */
function withoutMissingHelp(command: CommandUnknownOpts, args: readonly string[]): readonly string[] {
  const [name, ...rest] = args;
  if (name === undefined || name.startsWith("-") || command.commands.length === 0) return args;
  if (name === "help") {
    const [about] = rest;
    const isMissing = about !== undefined && !about.startsWith("-") && !innerOf(command, about);
    return isMissing && about !== "help" ? [about] : args;
  }
  const inner = innerOf(command, name);
  return inner ? [name, ...withoutMissingHelp(inner, rest)] : [name];
}

function innerOf(command: CommandUnknownOpts, name: string): CommandUnknownOpts | undefined {
  return command.commands.find((one) => one.name() === name);
}

/**
 * Creates the program with all its commands. Each run needs its own, since commands keep the options they were given.
 */
function createProgram(): Command {
  const program = new Command("recollect")
    .description(`${SERVICE_NAME}: the memory service for AI agents`)
    .version(SERVICE_VERSION, "--version", "Print the version")
    .helpOption("-h, --help", "Show this help")
    .helpCommand("help [command]", "Show help for a command")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      // An error quotes what was typed or pasted, which must not contain control sequences.
      outputError: (text, write) => write(printableLines(text)),
    })
    .addHelpText("after", NOTES);
  addServe(program);
  addDoctor(program);
  addMigrate(program);
  addKeys(program);
  addUsers(program);
  addTeams(program);
  addErasures(program);
  addSkills(program);
  addConnect(program);
  addAgents(program);
  addExport(program);
  addImport(program);
  addEval(program);
  addReembed(program);
  addReindex(program);
  addUsage(program);
  addRetention(program);
  complete(program, "recollect");
  return program;
}

/**
 * Applies common rules to every command: an option may be given only once, the error about an invalid choice suggests a
 * similar one, and a usage error refers to the help.
 */
function complete(command: CommandUnknownOpts, path: string): void {
  command.showHelpAfterError(`See ${path} --help.`);
  for (const chosen of [...command.options, ...command.registeredArguments]) {
    const { argChoices } = chosen;
    if (argChoices === undefined) continue;
    chosen.argParser((given: string) => {
      if (argChoices.includes(given)) return given;
      throw notOneOf(given, argChoices);
    });
  }
  for (const option of command.options) {
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' was given twice: give it once`);
      isGiven = true;
    });
  }
  for (const inner of command.commands) complete(inner, `${path} ${inner.name()}`);
}

function addServe(program: Command): void {
  program
    .command("serve")
    .description("Start the service and keep it running")
    .addHelpText(
      "after",
      `
Settings come from the environment: HOST (default 127.0.0.1), PORT (8787),
DATA_DIR (.data), DATABASE_URL and LOG_LEVEL (info). Without DATABASE_URL the
service runs its own database in DATA_DIR. docs/settings.md lists every setting.

Examples:
  recollect serve
  PORT=9000 DATA_DIR=/var/lib/recollect recollect serve

Ctrl-C or SIGTERM stops it cleanly. Exit status 1 means that the service could
not start, or that its database died.`,
    )
    .action(async () => {
      // The server runs in this process and exits it with its own status.
      await import("../main.ts");
    });
}
