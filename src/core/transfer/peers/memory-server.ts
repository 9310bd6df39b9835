/**
 * The knowledge graph of the MCP reference memory server (`@modelcontextprotocol/server-memory`): its JSON Lines file,
 * or the document that its `read_graph` returns.
 *
 * | there | here |
 * |---|---|
 * | entity | "Alice is a person.", `metadata.entity`, `metadata.entity_type`; importance 0.3, since it says little |
 * | observation | its text with the entity's name, the same metadata |
 * | relation | "Alice works at TechCorp.", `metadata.from`, `relation`, `to` |
 *
 * The path is the entity's: `memory-server/Alice`. The file contains no times.
 */
import { jsonLines, type ParsedLine, wholeDocument } from "./json-input.ts";
import { isObject, type Make, type PeerRecord } from "./peer-record.ts";
import { about, kindSentence, relationSentence } from "./sentences.ts";

export function* readMemoryServer(text: string, make: Make): Generator<PeerRecord> {
  for (const line of linesOf(text)) yield* recordsOf(line, make);
}

function* linesOf(text: string): Generator<ParsedLine> {
  const graph = wholeDocument(text);
  if (!isObject(graph) || !(Array.isArray(graph.entities) || Array.isArray(graph.relations)))
    return yield* jsonLines(text);
  const [entities, relations] = [graph.entities, graph.relations].map((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const items = [
    ...(entities ?? []).map((entity) => ({ type: "entity", value: entity })),
    ...(relations ?? []).map((relation) => ({ type: "relation", value: relation })),
  ];
  for (const [index, { type, value }] of items.entries()) {
    const place = { line: index + 1, offset: Math.round((text.length * (index + 1)) / items.length) };
    yield { ...place, value: isObject(value) ? { ...value, type } : value };
  }
}

function recordsOf(line: ParsedLine, make: Make): PeerRecord[] {
  const { line: number, offset } = line;
  const wrong = (kind: string, problem: string) => [{ line: number, offset, kind, problem }];
  if ("problem" in line) return wrong("line", line.problem);
  const { value } = line;
  if (!isObject(value)) return wrong("line", "is neither an entity nor a relation: it must be an object");
  if (value.type === "entity") return entityRecords(line, value, make, wrong);
  if (value.type === "relation") return relationRecords(line, value, make, wrong);
  return wrong("line", "type: must be entity or relation");
}

type Wrong = (kind: string, problem: string) => PeerRecord[];

function entityRecords(
  place: ParsedLine,
  { name, entityType, observations }: Record<string, unknown>,
  make: Make,
  wrong: Wrong,
): PeerRecord[] {
  if (!isName(name)) return wrong("entity", "name: must be a text");
  if (entityType !== undefined && typeof entityType !== "string")
    return wrong("entity", "entityType: must be a text");
  const said: unknown = observations ?? [];
  if (!Array.isArray(said)) return wrong("entity", "observations: must be an array of texts");
  const metadata = { entity: name, ...(entityType ? { entity_type: entityType } : {}) };
  const common = { path: [name], metadata };
  const itself = make(place, {
    ...common,
    kind: "entity",
    key: [name],
    content: entityType?.trim() ? kindSentence(name, entityType) : "",
    importance: 0.3,
  });
  const observed = said.flatMap((text: unknown) =>
    make(place, {
      ...common,
      kind: "observation",
      key: [name, text],
      content: typeof text === "string" && text.trim() !== "" ? about(name, text) : text,
    }),
  );
  return [...itself, ...observed];
}

function relationRecords(
  place: ParsedLine,
  { from, to, relationType }: Record<string, unknown>,
  make: Make,
  wrong: Wrong,
): PeerRecord[] {
  if (!isName(from) || !isName(to)) return wrong("relation", "from, to: must be texts");
  if (typeof relationType !== "string") return wrong("relation", "relationType: must be a text");
  return make(place, {
    kind: "relation",
    key: [from, relationType, to],
    content: relationSentence(from, relationType, to),
    path: [from],
    metadata: { from, relation: relationType, to },
  });
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
