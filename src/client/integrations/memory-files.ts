import type { Client, RequestOptions } from "../client.ts";
import type { MaskedSecrets, Memory } from "../contract.ts";
import { isRecollectError } from "../error.ts";
import { derivedId, pathBelow } from "./placement.ts";

/** The place and the owner of files. */
export interface FilePlacement {
  /** The path below which files are stored. Default: `memories`. Tools with different paths are independent. */
  readonly path?: string;
  /** `private` (the user's own files, the default) or `team`, which needs `teamId`. */
  readonly scope?: "private" | "team";
  readonly teamId?: string;
}

/** A file as it was read. Writes that name it are refused if it has changed since. */
export interface MemoryFile {
  readonly name: string;
  readonly text: string;
  readonly id: string;
  readonly etag: string;
}

/** Secrets that were replaced before the file was stored. */
export type Masked = readonly MaskedSecrets[];

/** Metadata of a file's memory. */
interface Held {
  /** Relative to the root, exact, since the memory's path is encoded and may be truncated. */
  readonly file: string;
  /** A memory has no empty content. */
  readonly empty?: true;
  /** Set before a file is forgotten, so that whoever creates it anew knows that nobody has written to it since. */
  readonly deleted?: true;
}

const BUCKET = "memory-files";
const PAGE = 1000;

/** Files, each a memory of its own. Folders exist while a file is below them. Rejects with a `RecollectError`. */
export class MemoryFiles {
  readonly #client: Client;
  readonly #root: string;
  readonly #owner: { scope: "private" | "team"; team_id?: string };
  readonly #options: RequestOptions;

  constructor(client: Client, { path = "memories", scope, teamId }: FilePlacement, options: RequestOptions) {
    this.#client = client;
    this.#root = path;
    this.#options = options;
    this.#owner = {
      scope: scope ?? (teamId === undefined ? "private" : "team"),
      ...(teamId !== undefined && { team_id: teamId }),
    };
  }

  /** Returns null if there is no such file. */
  async find(name: string): Promise<MemoryFile | null> {
    const stored = await this.#stored(await this.#idOf(name));
    return stored && !stored.isDeleted ? stored.file : null;
  }

  /** Returns all files below a folder, in no particular order. */
  async below(folder: string): Promise<Pick<MemoryFile, "name" | "text">[]> {
    const files: Pick<MemoryFile, "name" | "text">[] = [];
    const filters = { ...this.#owner, bucket: BUCKET, path_under: this.#pathOf(folder), limit: PAGE };
    for await (const memory of this.#client.each("listMemories", filters, this.#options)) {
      const { file, deleted } = memory.metadata as Partial<Held>;
      if (typeof file !== "string" || deleted || !isBelow(file, folder)) continue;
      files.push({ name: file, text: textOf(memory) });
    }
    return files;
  }

  /** Creates a file; null if there is one already. */
  async create(name: string, text: string): Promise<Masked | null> {
    const memory_id = await this.#idOf(name);
    const place = { memory_id, path: this.#pathOf(name), bucket: BUCKET, ...this.#owner };
    try {
      const { masked } = await this.#client.storeMemory(
        { ...place, ...contentOf(name, text) },
        this.#options,
      );
      return masked ?? [];
    } catch (error) {
      if (!isRecollectError(error, "memory_id_conflict")) throw error;
    }
    // Only one of several creators restores a forgotten file. A mark says the same of one that is being deleted.
    const isRestored = await this.#restore(memory_id);
    const stored = await this.#stored(memory_id);
    return stored && (isRestored || stored.isDeleted) ? this.write(stored.file, text) : null;
  }

  /** Replaces the text; null if the file has changed since it was read. */
  write({ id, name, etag }: MemoryFile, text: string): Promise<Masked | null> {
    return unlessChanged(async () => {
      const changes = { ...contentOf(name, text), merge_metadata: false, detect_conflicts: false };
      const { masked } = await this.#client.updateMemory(
        { memory_id: id, if_match: etag, ...changes },
        this.#options,
      );
      return masked ?? [];
    });
  }

  /** Forgets the file, which a person can restore; null if it has changed since it was read. */
  async remove({ id, etag }: MemoryFile): Promise<true | null> {
    const marked = await unlessChanged(() =>
      this.#client.updateMemory(
        { memory_id: id, if_match: etag, metadata: { deleted: true }, merge_metadata: true },
        this.#options,
      ),
    );
    if (!marked) return null;
    const if_match = "etag" in marked ? marked.etag : undefined;
    // If this is refused, the file has been created anew, which comes after the deletion.
    await unlessChanged(() => this.#client.forgetMemory({ memory_id: id, if_match }, this.#options));
    return true;
  }

  async #restore(memory_id: string): Promise<boolean> {
    try {
      await this.#client.restoreMemory({ memory_id }, this.#options);
      return true;
    } catch (error) {
      if (isRecollectError(error, "not_restorable", "not_found")) return false;
      throw error;
    }
  }

  /** Returns null if there is none, or only another owner's: a teammate can give a team's memory the same id. */
  async #stored(memory_id: string): Promise<{ file: MemoryFile; isDeleted: boolean } | null> {
    try {
      const memory = await this.#client.getMemory({ memory_id }, this.#options);
      const { scope, team_id = null } = this.#owner;
      const { file, deleted = false } = memory.metadata as Partial<Held>;
      if (memory.scope !== scope || (team_id !== null && memory.team_id !== team_id)) return null;
      if (typeof file !== "string") return null;
      const { id, etag } = memory;
      return { file: { id, etag, name: file, text: textOf(memory) }, isDeleted: deleted };
    } catch (error) {
      if (isRecollectError(error, "not_found")) return null;
      throw error;
    }
  }

  #pathOf(name: string): string {
    return pathBelow(this.#root, name === "" ? [] : name.split("/"));
  }

  #idOf(name: string): Promise<string> {
    return derivedId("file", [this.#root, this.#owner, name]);
  }
}

/** Returns the result; null if the memory has changed since it was read, or is gone. */
async function unlessChanged<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    // A refusal after a lost answer may be due to the request's own first attempt.
    if (isRecollectError(error, "precondition_failed", "not_found") && !error.isOutcomeUnknown) return null;
    throw error;
  }
}

export function isBelow(name: string, folder: string): boolean {
  return folder === "" || name.startsWith(`${folder}/`);
}

function contentOf(file: string, text: string): { content: string; metadata: { [key: string]: unknown } } {
  return text === ""
    ? { content: "\n", metadata: { file, empty: true } }
    : { content: text, metadata: { file } };
}

function textOf({ content, metadata }: Pick<Memory, "content" | "metadata">): string {
  return (metadata as Partial<Held>).empty && content === "\n" ? "" : content;
}
