import { open, readFile, stat } from "node:fs/promises";
import { relative } from "node:path";
import { commandOf } from "../../bin/runtime.js";
import { postgresRows, sqliteRows } from "../adapters/peer-stores/langgraph-rows.ts";
import { filesIn, noteFiles, readNote } from "../adapters/peer-stores/notes.ts";
import { qdrantPoints } from "../adapters/peer-stores/qdrant-points.ts";
import {
  readChatgpt,
  readClaude,
  readClaudeCode,
  readCodex,
} from "../core/transfer/conversations/exports.ts";
import { noteRecords } from "../core/transfer/peers/basic-memory.ts";
import { langgraphRecords, readLanggraph } from "../core/transfer/peers/langgraph.ts";
import { readLetta } from "../core/transfer/peers/letta.ts";
import { mem0Records, readMem0 } from "../core/transfer/peers/mem0.ts";
import { readMemoryServer } from "../core/transfer/peers/memory-server.ts";
import type { Make, Peer, PeerRecord, Place } from "../core/transfer/peers/peer-record.ts";
import { readZep } from "../core/transfer/peers/zep.ts";
import { CommandFailure } from "./failure.ts";
import { credentialFor } from "./open.ts";

/**
 * An opened store of another system. Its contents may still turn out to be invalid, as a whole or in single records.
 */
export interface PeerStore {
  readonly records: AsyncIterable<PeerRecord> | Iterable<PeerRecord>;
  /** The last record's `offset`; null if it is unknown. */
  readonly size: number | null;
  /** The name of a record for people: its line, number or file. */
  nameOf(line: number): string;
}

/** The possible places of each peer's store, in words for help texts. */
export const PLACES: Readonly<Record<Peer, string>> = {
  "memory-server": "its memory.jsonl, or the answer of read_graph",
  mem0: "the answer of get_all as JSON, or http://HOST:6333/collections/NAME of its Qdrant",
  "basic-memory": "the folder of its notes, or one note",
  langgraph: "postgres://… of its store, the file of its SQLite store, or items as JSON",
  letta: "an agent file (.af), or archival passages as JSON",
  zep: "nodes, edges, episodes and threads as one JSON document",
  chatgpt: "the conversations.json of an export",
  claude: "the conversations.json of an export",
  "claude-code": "~/.claude/projects, a folder in it, or one session (.jsonl)",
  codex: "~/.codex/sessions, a folder in it, or one session (.jsonl)",
};

/** Maximum size of a document, since it is read as a whole. */
const WHOLE_FILE_BYTES_MAX = 512 * 1024 * 1024;

export async function openPeerStore(peer: Peer, place: string, make: Make): Promise<PeerStore> {
  const isWeb = /^https?:\/\//i.test(place);
  const isPostgres = /^postgres(?:ql)?:\/\//i.test(place);
  if (peer === "mem0" && isWeb)
    return numbered(eachOf(qdrantPoints(place, credentialFor("QDRANT_API_KEY")), mem0Records, make));
  if (peer === "langgraph" && isPostgres)
    return numbered(eachOf(postgresRows(place), langgraphRecords, make));
  if (isWeb || isPostgres)
    throw new CommandFailure(`--from ${peer} cannot read such an address. Give it ${PLACES[peer]}.`);
  const found = await stat(place);
  if (peer === "basic-memory") return openNotes(place, found.isDirectory(), make);
  if (found.isDirectory() && isOfSessions(peer)) return openSessions(peer, place, make);
  if (found.isDirectory()) throw new CommandFailure(`${place} is a folder. Give it ${PLACES[peer]}.`);
  if (peer === "langgraph" && (await isSqlite(place)))
    return numbered(eachOf(sqliteRows(place, commandOf("bun")), langgraphRecords, make));
  if (found.size > WHOLE_FILE_BYTES_MAX)
    throw new CommandFailure(`${place} is larger than 512 MiB: export it in parts.`);
  const text = textOf(place, await readFile(place));
  const isOfLines = peer === "memory-server" || peer === "langgraph" || isOfSessions(peer);
  return {
    ...numbered(READERS[peer](text, make)),
    size: text.length,
    nameOf: (line) => (isOfLines ? `line ${line}` : `record ${line}`),
  };
}

/** Decodes UTF-8 without the byte order mark. Fails for invalid bytes instead of replacing them. */
function textOf(place: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${place}: it is not UTF-8 text.`);
  }
}

/** The readers of single files. Notes of basic-memory are a folder of files. */
const READERS: Readonly<
  Record<Exclude<Peer, "basic-memory">, (text: string, make: Make) => Iterable<PeerRecord>>
> = {
  "memory-server": readMemoryServer,
  mem0: readMem0,
  langgraph: readLanggraph,
  letta: readLetta,
  zep: readZep,
  chatgpt: readChatgpt,
  claude: readClaude,
  "claude-code": readClaudeCode,
  codex: readCodex,
};

type AgentWithSessions = "claude-code" | "codex";

/** True for coding agents, which keep each session in a file of its own. */
function isOfSessions(peer: Peer): peer is AgentWithSessions {
  return peer === "claude-code" || peer === "codex";
}

/** The sessions in a folder and below it. A record's number is that of its file. */
async function openSessions(peer: AgentWithSessions, place: string, make: Make): Promise<PeerStore> {
  const files = await filesIn(place, /\.jsonl$/);
  if (files.length === 0) throw new CommandFailure(`${place}: no file in it ends with .jsonl.`);
  async function* records() {
    for (const [index, file] of files.entries()) {
      const text = textOf(file, await readFile(file));
      const at = { line: index + 1, offset: index + 1 };
      for (const record of READERS[peer](text, make)) yield { ...record, ...at };
    }
  }
  const nameOf = (line: number) => relative(place, files[line - 1] ?? "");
  return { records: records(), size: files.length, nameOf };
}

function numbered(records: PeerStore["records"]): PeerStore {
  return { records, size: null, nameOf: (line) => `record ${line}` };
}

async function* eachOf(
  items: AsyncIterable<unknown>,
  read: (place: Place, item: unknown, make: Make) => PeerRecord[],
  make: Make,
): AsyncGenerator<PeerRecord> {
  let line = 0;
  for await (const item of items) {
    line += 1;
    yield* read({ line, offset: line }, item, make);
  }
}

async function openNotes(place: string, isFolder: boolean, make: Make): Promise<PeerStore> {
  const files = await noteFiles(place, isFolder);
  if (files.length === 0) throw new CommandFailure(`${place}: no file in it ends with .md.`);
  async function* records() {
    for (const [index, file] of files.entries()) {
      const at = { line: index + 1, offset: index + 1 };
      yield* noteRecords(at, await readNote(place, file), make);
    }
  }
  const nameOf = (line: number) => (isFolder ? relative(place, files[line - 1] ?? "") : place);
  return { records: records(), size: files.length, nameOf };
}

async function isSqlite(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead).toString("latin1") === "SQLite format 3\0";
  } finally {
    await handle.close();
  }
}
