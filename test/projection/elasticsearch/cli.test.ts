/** `recollect reindex` and `recollect reembed` on a search engine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BesideServer, openBesideServer } from "../../cli/beside-server.ts";
import { type NodeProxy, openProxy } from "../../faults/proxy.ts";
import {
  ask,
  describeOnElasticsearch,
  indicesOf,
  NODE,
  type Node,
  type OwnIndices,
  ownIndices,
} from "../../support/elasticsearch.ts";
import { eventually } from "../../support/processes.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const node = NODE as Node;
const MEMORIES = 2600;

describeOnElasticsearch("with a search engine", () => {
  let beside: BesideServer;
  let proxy: NodeProxy;
  let indices: OwnIndices;
  let env: Record<string, string>;

  beforeAll(async () => {
    indices = ownIndices();
    proxy = await openProxy(node.url);
    env = { ...indices.settings, ELASTICSEARCH_URL: proxy.url };
    beside = await openBesideServer(env);
    await beside.json("keys", "create", "--owner", "alice");
    await beside.sql`
      insert into memories (id, owner_id, memory_id, author_id, author_token, scope, path, bucket, memory_type, status,
        content, version, importance, confidence, metadata, provenance, created_at, updated_at)
      select gen_random_uuid(), o.id, 'm' || n, o.id, o.id, 'private', 'many', 'semantic', 'fact', 'active',
        'memory number ' || n, 1, 0.5, 0.5, '{}', '{}', now(), now()
      from owners o, generate_series(1, ${MEMORIES}) n where o.name = 'alice'`;
  });

  afterAll(async () => {
    await beside?.close();
    await proxy?.close();
    await indices?.remove();
  });

  const count = async () =>
    (await ask(node, "POST", `/${indices.prefix}/_count`, { query: { exists: { field: "owner" } } })).body
      .count;

  test("verify before there is an index says what to do", async () => {
    const { status, stderr } = await beside.run("reindex", "--verify");
    expect([status, stderr]).toEqual([1, expect.stringContaining("Build one with recollect reindex")]);
  });

  test("Ctrl-C stops a build after its batch, and the next run goes on there", async () => {
    await proxy.inject({ kind: "delay", ms: () => 1500 }, ({ path }) => path.includes("_bulk"));
    const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", "reindex"], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", DATA_DIR: beside.dataDir, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      told += part;
    });
    const scanned = async () => {
      const [row] = await beside.sql`select scanned from index_generations where state = 'building'`;
      return (row?.scanned as number | undefined) || undefined;
    };
    await eventually("the first batch", scanned);
    child.kill("SIGINT");
    const [status] = await once(child, "exit");
    expect([status, told]).toEqual([1, expect.stringContaining("Run the command again to continue")]);
    const before = (await scanned()) as number;
    expect(before).toBeLessThan(MEMORIES);
    await proxy.heal();
    const [building] = await indicesOf(node, indices.prefix);
    const done = await beside.json("reindex");
    expect(done).toEqual({ index: building, memories: MEMORIES, shards: 1, spread: 0 });
    expect(await count()).toBe(MEMORIES);
  });

  test("another number of shards is built beside the index, and kept by the next one", async () => {
    const [before] = await indicesOf(node, indices.prefix);
    const divided = await beside.json("reindex", "--shards", "3");
    expect(divided).toEqual({ index: expect.any(String), memories: MEMORIES, shards: 3, spread: 0 });
    expect([divided.index === before, await count()]).toEqual([false, MEMORIES]);
    expect(await beside.json("reindex")).toMatchObject({ memories: MEMORIES, shards: 3 });
    expect(await beside.json("reindex", "--verify")).toMatchObject({ missing: 0, outdated: 0, foreign: 0 });
    const { status, stderr } = await beside.run("reindex", "--shards", "0");
    expect([status, stderr]).toEqual([2, expect.stringContaining("1 to 1024")]);
  });

  test("verify puts right what is missing, and then finds nothing", async () => {
    await beside.sql`update memories set content = 'changed', revision = 2 where memory_id in ('m1', 'm2')`;
    expect(await beside.json("reindex", "--verify")).toMatchObject({
      missing: 0,
      outdated: 2,
      foreign: 0,
      refused: 0,
    });
    expect(await beside.json("reindex", "--verify")).toMatchObject({ missing: 0, outdated: 0, foreign: 0 });
    expect((await beside.run("reindex", "--verify")).stdout).toContain("The index matches the record.");
  });

  test("reembed to another model builds the next index and puts it in place", async () => {
    await beside.sql`update embedding_generations set model = 'the model before'`;
    const [before] = await indicesOf(node, indices.prefix);
    const { embedded, remaining, index } = await beside.json("reembed");
    expect([embedded, remaining]).toEqual([MEMORIES, 0]);
    expect([index, await count()]).not.toContain(before);
    const { body } = await ask(node, "POST", `/${indices.prefix}/_count`, {
      query: { exists: { field: "vector" } },
    });
    expect([body.count, await count()]).toEqual([MEMORIES, MEMORIES]);
    expect(await beside.json("reembed")).toEqual({ embedded: 0, remaining: 0, index: null });
  });
});
