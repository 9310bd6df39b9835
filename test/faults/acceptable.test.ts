/** Whatever the service accepts must fit into the index: nothing may be left waiting, or be set aside, for its form. */
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/acting.ts";
import { ask, describeOnElasticsearch, NODE, type Node, ownIndices } from "../support/elasticsearch.ts";
import { type Answer, type Client, openWorld } from "../support/world.ts";
import { openStage } from "./stage.ts";

const LONGEST = 65_536;

const strange: Readonly<Record<string, Record<string, unknown>>> = {
  "one word as long as a memory may be": { content: "a".repeat(LONGEST) },
  "emoji only": { content: "🦊".repeat(LONGEST / 2) },
  "spaces around one letter": { content: ` ${"\t\n".repeat(1000)}x` },
  "a text without a word": { content: "…" },
  "combining marks": { content: `e${"\u0301".repeat(5000)}` },
  "right to left and invisible": { content: "\u202eשלום\u200b\u2066مرحبا\u2069" },
  "every script": { content: "漢字かなカナ한국어ไทย हिन्दी ქართული ʻōlelo Ωμέγα 𝔘𝔫𝔦 ＦＵＬＬ" },
  "numbers and signs": { content: "1e400 -0 NaN Infinity 99999999999999999999 a.b.c a_b_c ::: ///" },
  "as many different words as fit": {
    content: Array.from({ length: 10_000 }, (_, n) => n.toString(36))
      .join(" ")
      .slice(0, LONGEST),
  },
  "what looks like JSON and like a query": { content: '{"match_all":{}} }\n{"delete":{"_id":"*"}}\n' },
  "the longest path": {
    content: "x",
    path: Array.from({ length: 64 }, () => "strange")
      .join("/")
      .slice(0, 512),
  },
  "a path of signs": { content: "x", path: "a.b/ c/%/日本/🦊/.." },
  "long ago": { content: "x", metadata: { occurred_at: "0001-01-01T00:00:00Z" } },
  "far ahead": {
    content: "x",
    metadata: { occurred_at: "9999-12-31T23:59:59.999Z" },
    expires_at: "9999-12-31T23:59:59.999Z",
  },
  "in another zone, to the microsecond": {
    content: "x",
    metadata: { occurred_at: "2024-02-29T23:59:59.999999+14:00" },
  },
  "metadata that looks like a mapping": {
    content: "x",
    metadata: {
      owner: { owner: "x" },
      "a.b": 1,
      a: { b: { c: [] } },
      "": "",
      seq: "no number",
      deleted: true,
    },
  },
  "metadata of many names": {
    content: "x",
    metadata: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`name-${n}`, n])),
  },
  "a long source and key": { content: "x", source: "s".repeat(200), semantic_key: "k".repeat(200) },
  "a strange source and key": { content: "x", source: "Zoë 🦊\u202e", semantic_key: "ключ/🔑 %_" },
  "a type and a bucket of their own": { content: "x", memory_type: "field_note", bucket: "a.b-c_d" },
  "a reminder": { content: "x", memory_type: "reminder", metadata: { due_at: "2031-01-01T00:00:00Z" } },
  "a session": { content: "x", provenance: { session_id: "s".repeat(128), task_id: "t", agent_name: "🦊" } },
};

/** Questions that must be answered by the engine itself, whatever comes of it. */
const questions: readonly string[] = [
  "…",
  "🦊",
  "\u202e\u200b",
  "a".repeat(LONGEST),
  "🦊".repeat(LONGEST / 2),
  Array.from({ length: 10_000 }, (_, n) => n.toString(36))
    .join(" ")
    .slice(0, LONGEST),
  "? ".repeat(LONGEST / 2),
  "Who? What? Where? ".repeat(2000),
  'owner:"x" OR *:* && _exists_:owner /.*/ [1 TO 2] \\ ~2 ^9',
  "1e400 -0 NaN 99999999999999999999",
  "漢字 かな 한국어 ไทย",
];

const filters: readonly Record<string, string>[] = [
  {},
  { path: "%".repeat(400) },
  { path: "a%".repeat(200) },
  { path: "*?[a-z]\\" },
  { bucket: "%_%", memory_type: "%e%" },
  { status: "%" },
  { retrievers: "dense" },
  { retrievers: "lexical", candidate_count: "1000" },
  { as_of: "2001-01-01T00:00:00Z" },
  { "metadata.a.b": "1" },
  { prefer_working: "true", explain: "true", threshold: "0.99" },
];

describeOnElasticsearch("what the service accepts", () => {
  test("is answered by the index, whatever is asked", { timeout: 180_000 }, async () => {
    const { clients } = await openStage({ ELASTICSEARCH_TIMEOUT_MS: "30000" });
    const faults: string[] = [];
    for (const query of questions) {
      for (const filter of query.length > 100 ? filters.slice(0, 1) : filters) {
        // The longest fit into no query string.
        const { status, body } = await (query.length > 100
          ? clients.alice.post("/v1/memories/search", { query, limit: 100 })
          : search(clients.alice, { query, limit: "100", ...filter }));
        const told = `${JSON.stringify(query).slice(0, 40)} ${JSON.stringify(filter).slice(0, 60)}: `;
        if (status !== 200 || body.degraded) faults.push(told + JSON.stringify(body).slice(0, 200));
      }
    }
    expect(faults).toEqual([]);
  });

  test("is in the index before long, whatever it looks like", { timeout: 180_000 }, async () => {
    const indices = ownIndices();
    const world = await openWorld({ ...indices.settings, LOG_LEVEL: "silent" });
    onTestFinished(async () => {
      await world.close();
      await indices.remove();
    });
    const client = await world.client();
    const accepted: string[] = [];
    for (const [name, memory] of Object.entries(strange)) {
      const { status, body } = await client.post("/v1/memories", { path: "strange", ...memory });
      expect([201, 422], `${name}: ${JSON.stringify(body).slice(0, 300)}`).toContain(status);
      if (status === 201) accepted.push(name);
    }
    expect(accepted.length).toBeGreaterThan(Object.keys(strange).length / 2);
    await eventually(
      () => indexed(NODE as Node, indices.prefix),
      (count) => count === accepted.length,
      120_000,
    );
    // And what it holds can be searched.
    const all = async () => (await search(client, { query: "x", limit: "100" })).body;
    await eventually(all, ({ degraded }) => degraded === undefined, 60_000);
  });
});

function search(client: Client, members: Record<string, string>): Promise<Answer> {
  return client.get(`/v1/memories/search?${new URLSearchParams(members)}`);
}

/** How many memories the index holds. */
async function indexed(node: Node, prefix: string): Promise<number> {
  await ask(node, "POST", `/${prefix}*/_refresh`);
  const query = { exists: { field: "owner" } };
  return (await ask(node, "POST", `/${prefix}*/_count`, { query })).body.count ?? 0;
}
