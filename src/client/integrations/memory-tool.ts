/**
 * Anthropic's memory tool on Recollect, for the tool runner of `@anthropic-ai/sdk`, without a dependency on it. Each file
 * is a memory, with versions, access control and redaction, and every other agent of the same user can search it.
 *
 * @example
 * ```ts
 * const message = await anthropic.beta.messages.toolRunner({
 *   model, max_tokens, messages, tools: [memoryTool(client)],
 * });
 * ```
 * @module
 */
import type { Client } from "../client.ts";
import type { MaskedSecrets } from "../contract.ts";
import { within } from "../deadline.ts";
import { isRecollectError } from "../error.ts";
import { backOff, pause } from "../pause.ts";
import { clientFor } from "./agent-memory.ts";
import { fileView, folderView, insertAt, nameOf, replaceOnce } from "./memory-file-text.ts";
import { type FilePlacement, isBelow, type Masked, MemoryFiles } from "./memory-files.ts";

export interface MemoryToolOptions extends FilePlacement {
  /** The end user whose files they are: as `client.forUser`. */
  readonly user?: string;
  /** How long a command takes at most, including retries. Default: 2 seconds. */
  readonly timeoutMs?: number;
  /** Called with errors of the service, which the model reads as a sentence. */
  readonly onError?: (error: unknown) => void;
}

/** A command of the memory tool, as the model gives it. */
export type MemoryCommand =
  | { readonly command: "view"; readonly path: string; readonly view_range?: readonly number[] | null }
  | { readonly command: "create"; readonly path: string; readonly file_text: string }
  | {
      readonly command: "str_replace";
      readonly path: string;
      readonly old_str: string;
      readonly new_str?: string;
    }
  | {
      readonly command: "insert";
      readonly path: string;
      readonly insert_line: number;
      readonly insert_text: string;
    }
  | { readonly command: "delete"; readonly path: string }
  | { readonly command: "rename"; readonly old_path: string; readonly new_path: string };

/** A tool of Anthropic's tool runner. */
export interface MemoryTool {
  readonly type: "memory_20250818";
  readonly name: "memory";
  parse(input: unknown): MemoryCommand;
  /** Rejects with an `Error` whose message the model reads, or with the signal's reason. */
  run(
    command: MemoryCommand,
    context?: { readonly signal?: AbortSignal | null | undefined },
  ): Promise<string>;
}

const TIMEOUT_MS = 2000;
const TEXT_MAX = 65_536;
const NAME_MAX = 1024;
const EDIT_ATTEMPTS = 12;
const BACK_OFF_MS = 15;
const BACK_OFF_MAX_MS = 200;
const UNCLEAR = "If this was a change, view the file before you try it again.";

export function memoryTool(client: Client, options: MemoryToolOptions = {}): MemoryTool {
  const { timeoutMs = TIMEOUT_MS, onError } = options;
  const own = clientFor(client, options);
  return {
    type: "memory_20250818",
    name: "memory",
    parse: (input) => input as MemoryCommand,
    async run(command, context) {
      const outer = context?.signal ?? undefined;
      try {
        return await within(timeoutMs, outer, (signal) =>
          new Commands(new MemoryFiles(own, options, { signal }), signal).run(command),
        );
      } catch (error) {
        outer?.throwIfAborted();
        const words = wordsFor(error);
        if (words === null) throw error;
        onError?.(error);
        throw new Error(words, { cause: error });
      }
    },
  };
}

/** Returns the sentence for a failure of the service; null for any other error. */
function wordsFor(error: unknown): string | null {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `The memory service failed. It did not answer in time. ${UNCLEAR}`;
  if (!isRecollectError(error)) return null;
  return `The memory service failed. ${error.message}${error.isOutcomeUnknown ? ` ${UNCLEAR}` : ""}`;
}

class Commands {
  readonly #files: MemoryFiles;
  readonly #signal: AbortSignal;

  constructor(files: MemoryFiles, signal: AbortSignal) {
    this.#files = files;
    this.#signal = signal;
  }

  run(command: MemoryCommand): Promise<string> {
    switch (command.command) {
      case "view":
        return this.#view(command.path, command.view_range);
      case "create":
        return this.#create(command.path, command.file_text);
      case "str_replace":
        return this.#edit(command.path, (text) =>
          replaceOnce(command.path, text, command.old_str, command.new_str ?? ""),
        );
      case "insert":
        return this.#edit(command.path, (text) => ({
          text: insertAt(text, command.insert_line, command.insert_text),
          answer: `The file ${command.path} has been edited.`,
        }));
      case "delete":
        return this.#delete(command.path);
      case "rename":
        return this.#rename(command.old_path, command.new_path);
      default:
        throw new Error(`Unknown command: ${(command as { command: unknown }).command}`);
    }
  }

  async #view(path: string, range: readonly number[] | null | undefined): Promise<string> {
    const name = nameOf(path);
    const file = name === "" ? null : await this.#files.find(name);
    if (file) return fileView(path, file.text, range);
    const below = await this.#files.below(name);
    if (name !== "" && below.length === 0)
      throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
    return folderView(path, name, below);
  }

  async #create(path: string, text: string): Promise<string> {
    const name = nameOf(path);
    if (await this.#isTaken(name)) throw new Error(`File ${path} already exists`);
    await this.#checkPlace(path, name);
    checkText(path, text);
    const masked = await this.#files.create(name, text);
    if (!masked) throw new Error(`File ${path} already exists`);
    return `File created successfully at: ${path}${maskedNote(masked)}`;
  }

  async #edit(path: string, change: (text: string) => { text: string; answer: string }): Promise<string> {
    const name = nameOf(path);
    for (let attempt = 1; attempt <= EDIT_ATTEMPTS; attempt += 1) {
      const file = name === "" ? null : await this.#files.find(name);
      if (!file) {
        const isFolder = name === "" || (await this.#files.below(name)).length > 0;
        if (isFolder) throw new Error(`The path ${path} is not a file.`);
        throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
      }
      const { text, answer } = change(file.text);
      checkText(path, text);
      const masked = await this.#files.write(file, text);
      if (masked) return answer + maskedNote(masked);
      await pause(backOff(attempt, BACK_OFF_MS, BACK_OFF_MAX_MS), this.#signal);
    }
    throw new Error(`The file ${path} was being changed by others, and was not edited. Please try again.`);
  }

  async #delete(path: string): Promise<string> {
    const name = nameOf(path);
    if (name === "") throw new Error("Cannot delete the /memories directory itself");
    const names = await this.#namesAt(name);
    if (names.length === 0) throw new Error(`The path ${path} does not exist`);
    for (const each of names) await this.#remove(each);
    return `Successfully deleted ${path}`;
  }

  async #rename(oldPath: string, newPath: string): Promise<string> {
    const [from, to] = [nameOf(oldPath), nameOf(newPath)];
    if (from === "") throw new Error("Cannot rename the /memories directory itself");
    if (await this.#isTaken(to)) throw new Error(`The destination ${newPath} already exists`);
    const names = await this.#namesAt(from);
    if (names.length === 0) throw new Error(`The path ${oldPath} does not exist`);
    if (isBelow(to, from)) throw new Error(`Cannot move ${oldPath} below itself`);
    await this.#checkPlace(newPath, to);
    const masked: MaskedSecrets[] = [];
    for (const name of names) masked.push(...(await this.#move(name, to + name.slice(from.length))));
    return `Successfully renamed ${oldPath} to ${newPath}${maskedNote(masked)}`;
  }

  /** Copies the file and forgets the old one, again if it was changed between the two. */
  async #move(from: string, to: string): Promise<Masked> {
    for (let attempt = 1; attempt <= EDIT_ATTEMPTS; attempt += 1) {
      const file = await this.#files.find(from);
      if (!file) throw new Error(`The path /memories/${from} does not exist`);
      const masked = await this.#files.create(to, file.text);
      if (!masked) throw new Error(`The destination /memories/${to} already exists`);
      if (await this.#files.remove(file)) return masked;
      const copy = await this.#files.find(to);
      if (copy && (copy.text !== file.text || !(await this.#files.remove(copy)))) break;
      await pause(backOff(attempt, BACK_OFF_MS, BACK_OFF_MAX_MS), this.#signal);
    }
    throw new Error(
      `/memories/${from} was being changed by others, and was not moved. View it and /memories/${to}.`,
    );
  }

  async #remove(name: string): Promise<void> {
    for (let attempt = 1; attempt <= EDIT_ATTEMPTS; attempt += 1) {
      const file = await this.#files.find(name);
      if (!file || (await this.#files.remove(file))) return;
      await pause(backOff(attempt, BACK_OFF_MS, BACK_OFF_MAX_MS), this.#signal);
    }
    throw new Error(
      `The file /memories/${name} was being changed by others, and was not deleted. Please try again.`,
    );
  }

  /** Returns the name of the file, or the names of all files below the folder. */
  async #namesAt(name: string): Promise<string[]> {
    if (await this.#files.find(name)) return [name];
    return (await this.#files.below(name)).map((file) => file.name);
  }

  async #isTaken(name: string): Promise<boolean> {
    return name === "" || (await this.#namesAt(name)).length > 0;
  }

  /** Rejects if there can be no file of that name. */
  async #checkPlace(path: string, name: string): Promise<void> {
    if (name.length > NAME_MAX) throw new Error(`Paths have at most ${NAME_MAX} characters.`);
    if (/\0|\p{Surrogate}/u.test(name))
      throw new Error("Paths may not contain null characters or unpaired surrogates.");
    const names = name.split("/");
    const folders = names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
    const found = await Promise.all(folders.map((folder) => this.#files.find(folder)));
    const [file] = found.filter((each) => each !== null);
    if (file) throw new Error(`Cannot create ${path}: /memories/${file.name} is a file, not a directory.`);
  }
}

function checkText(path: string, text: string): void {
  if (text.length > TEXT_MAX)
    throw new Error(
      `The file ${path} would have ${text.length} characters, more than the maximum of ${TEXT_MAX}. Split it into several files.`,
    );
}

function maskedNote(masked: Masked): string {
  if (masked.length === 0) return "";
  const kinds = [...new Set(masked.map(({ kind }) => `[secret:${kind}]`))].join(", ");
  return `\nSecrets are not stored: the file has ${kinds} in their place. View it before you edit it.`;
}
