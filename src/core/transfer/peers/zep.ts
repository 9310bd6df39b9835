/**
 * A graph of Zep, or of Graphiti, which Zep is built on, as one JSON document with any of `nodes`, `edges`, `episodes`
 * and `threads`: as the lists of its API return them, or as Graphiti's objects contain them.
 *
 * | Zep | here |
 * |---|---|
 * | edge | its `fact`; `metadata.from`, `relation`, `to`; path `zep/facts` |
 * | `valid_at` | `metadata.occurred_at` |
 * | `invalid_at`, or else `expired_at` | `expires_at`: the fact is not live from then on, but remains readable |
 * | node with a summary | the summary with the node's name, path `zep/entities/NAME`, `metadata.labels` |
 * | node without one | "Alice is a person.", from its labels; importance 0.3 |
 * | episode, message of a thread | `episodic`, `session_id` the thread, `source` the speaker, path `zep/episodes` |
 *
 * Left out: vectors, and nodes that have neither a summary nor a label.
 */
import { DomainError } from "../../error.ts";
import { requireDocument } from "./json-input.ts";
import { given, isObject, listOf, type Make, type PeerRecord } from "./peer-record.ts";
import { about, kindSentence, relationSentence } from "./sentences.ts";

const HINT = "It must be an object with any of nodes, edges, episodes and threads.";

interface At {
  readonly line: number;
  readonly offset: number;
}

type Read = (at: At, value: Record<string, unknown>, make: Make) => PeerRecord[];

export function* readZep(text: string, make: Make): Generator<PeerRecord> {
  const document = requireDocument(text, HINT);
  if (!isObject(document) || !LISTS.some((name) => Array.isArray(document[name])))
    throw new DomainError("validation_failed", `The file has no graph of Zep. ${HINT}`);
  const names = new Map(
    listOf(document.nodes).flatMap((node) => (isObject(node) ? [[idOf(node), node.name] as const] : [])),
  );
  const all: (readonly [kind: string, value: unknown, read: Read])[] = [
    ...listOf(document.nodes).map((node) => ["node", node, nodeRecords] as const),
    ...listOf(document.edges).map((edge) => ["edge", edge, edgeRecords(names)] as const),
    ...listOf(document.episodes).map((episode) => ["episode", episode, episodeRecords(null)] as const),
    ...[...listOf(document.threads), ...listOf(document.sessions)].flatMap(messagesOf),
  ];
  for (const [index, [kind, value, read]] of all.entries()) {
    const at = { line: index + 1, offset: Math.round((text.length * (index + 1)) / all.length) };
    if (isObject(value)) yield* read(at, value, make);
    else yield { ...at, kind, problem: "must be an object" };
  }
}

const LISTS = ["nodes", "edges", "episodes", "threads", "sessions"];

function messagesOf(thread: unknown): (readonly [string, unknown, Read])[] {
  if (!isObject(thread)) return [["thread", thread, () => []]];
  const id = thread.thread_id ?? thread.session_id ?? thread.uuid;
  return listOf(thread.messages).map((message) => ["message", message, episodeRecords(id)] as const);
}

function nodeRecords(at: At, node: Record<string, unknown>, make: Make): PeerRecord[] {
  const { name, summary } = node;
  if (!isText(name)) return [{ ...at, kind: "node", problem: "name: must be a text" }];
  const labels = listOf(node.labels).filter((label) => isText(label) && label !== "Entity");
  const common = {
    kind: "node",
    key: [idOf(node) ?? name],
    id: idOf(node),
    path: ["entities", name],
    createdAt: node.created_at,
    metadata: given({
      entity: name,
      labels: labels.length > 0 ? labels : null,
      attributes: attributesOf(node),
      group_id: node.group_id,
    }),
  };
  if (isText(summary)) return make(at, { ...common, content: about(name, summary) });
  if (labels.length === 0)
    return [{ ...at, kind: "node", leftOut: "it has neither a summary nor a label, only its name" }];
  return make(at, { ...common, content: kindSentence(name, labels.join(" ")), importance: 0.3 });
}

function edgeRecords(names: ReadonlyMap<unknown, unknown>): Read {
  return (at, edge, make) => {
    const [from, to] = [edge.source_node_uuid, edge.target_node_uuid].map((id) => names.get(id));
    const sentence =
      isText(from) && isText(to) && isText(edge.name) ? relationSentence(from, edge.name, to) : edge.fact;
    return make(at, {
      kind: "edge",
      key: [idOf(edge) ?? [edge.source_node_uuid, edge.name, edge.target_node_uuid, edge.fact]],
      id: idOf(edge),
      content: isText(edge.fact) ? edge.fact : sentence,
      path: ["facts"],
      createdAt: edge.created_at,
      occurredAt: edge.valid_at,
      expiresAt: edge.invalid_at ?? edge.expired_at,
      metadata: given({
        from,
        relation: edge.name,
        to,
        invalid_at: edge.invalid_at,
        attributes: attributesOf(edge),
        group_id: edge.group_id,
      }),
    });
  };
}

function episodeRecords(thread: unknown): Read {
  return (at, episode, make) => {
    const session = thread ?? episode.thread_id ?? episode.session_id;
    const role = episode.role_type ?? episode.role;
    // The name of an episode is the episode's own, that of a message is its speaker's.
    const speaker =
      (thread === null ? null : episode.name) ?? (episode.role_type ? episode.role : null) ?? role;
    return make(at, {
      kind: thread === null ? "episode" : "message",
      key: [session ?? null, idOf(episode) ?? [episode.created_at ?? null, episode.content]],
      id: idOf(episode),
      content: episode.content,
      path: ["episodes"],
      type: "episodic",
      sessionId: session,
      source: isText(speaker) ? speaker : undefined,
      createdAt: episode.created_at,
      occurredAt: episode.valid_at,
      metadata: given({
        role,
        name: thread === null ? episode.name : null,
        source_description: isText(episode.source_description) ? episode.source_description : null,
        group_id: episode.group_id,
      }),
    });
  };
}

/** Attributes extracted from the text with the user's own schema; null if there are none. */
function attributesOf({ attributes }: Record<string, unknown>): unknown {
  return isObject(attributes) && Object.keys(attributes).length > 0 ? attributes : null;
}

/** The id. Zep's Python client writes it as `uuid_`. */
function idOf(value: Record<string, unknown>): unknown {
  return value.uuid ?? value.uuid_;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
