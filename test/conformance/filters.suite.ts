import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import { createIndexFeed } from "../../src/adapters/postgres/recall/index-feed.ts";
import { createSystemOfRecord } from "../../src/adapters/postgres/system-of-record.ts";
import { type Caller, UNATTRIBUTED } from "../../src/core/caller.ts";
import { everyLiveMemory, type MemoryFilter } from "../../src/core/memory/memory-filter.ts";
import { leftOutBy } from "../../src/core/recall/left-out-by-filter.ts";
import { retrieve } from "../../src/core/recall/retrieve.ts";
import { UNWATCHED } from "../../src/core/watch/watch.ts";
import type { IndexDocument, IndexFeed } from "../../src/recall/index/index-document.ts";
import type { CandidateSet, RecallIndex } from "../../src/recall/index/recall-index.ts";
import { UNPACED } from "../../src/recall/work.ts";
import { createDatabase } from "../support/own-database.ts";
import { runs } from "../support/random.ts";
import { lexicon, someDocument } from "../support/recall-fixtures.ts";
import { someFilter, someReach } from "../support/some-filter.ts";
import { isLike, somePattern, someValue } from "../support/some-pattern.ts";

const GENERATION = 1;
const MEMORIES = 30;

const someMetadata = fc.constantFrom<Record<string, unknown>[]>(
  ...[{}, { kind: "x" }, { kind: "x", n: "5" }, { kind: 5 }, { n: 5 }, { n: true }, { kind: null }],
  ...[
    { kind: ["x", 5] },
    { kind: [["x"]] },
    { kind: "" },
    { who: { name: "Kim" } },
    { who: { name: ["Kim", 5] } },
  ],
  ...[
    { who: [{ name: "Kim" }, { name: 5 }] },
    { "who.name": "Kim", who: { name: 5 } },
    { who: [[{ name: 5 }]] },
  ],
  ...[
    { "who.name": 5, n: 5.5 },
    { who: { name: { x: "Kim" } }, n: "true" },
    { "": "x", "who..": ["x"] },
  ],
);

/** A memory, with what an index does not keep of it. */
const someMemory = (seq: number) =>
  fc.record({
    document: someDocument(seq),
    agentId: fc.constantFrom(null, "agent-1", "agent-2"),
    isRedacted: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    metadata: someMetadata,
    updatedAt: fc.integer({ min: 0, max: 20 }),
    /** The status that it had until it was changed last; null: it was never changed. */
    statusBefore: fc.constantFrom(null, "active", "active", "archived"),
  });
type SomeMemory = ReturnType<typeof someMemory> extends fc.Arbitrary<infer Made> ? Made : never;

const stores = fc.tuple(...Array.from({ length: MEMORIES }, (_, at) => someMemory(at + 1)));

const questions = fc.array(
  fc.record({
    filter: someFilter,
    space: someReach,
    isOfTeam: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    readsKnowledge: fc.boolean(),
  }),
  { minLength: 10, maxLength: 14 },
);

/** Paths for the memories of a store, and patterns of which some are made of these. */
const pathsAndPatterns = fc
  .array(someValue, { minLength: MEMORIES, maxLength: MEMORIES })
  .chain((paths) => fc.tuple(fc.constant(paths), fc.tuple(...paths.map((path) => somePattern(path)))));

/**
 * The record and an index answer every filter alike. `open` makes an index that reads `feed`, and need not be closed
 * before the tests end. `storesFilled`: how many are filled and asked in an exhaustive run.
 */
export function testFilters(
  name: string,
  open: (feed: IndexFeed) => Promise<RecallIndex>,
  storesFilled: number,
): void {
  describe(`${name} and the record`, () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let sql: Sql;
    let index: RecallIndex;
    beforeAll(async () => {
      database = await createDatabase();
      sql = connect(database.address, 2);
      index = await open(createIndexFeed(sql, GENERATION));
    });
    afterAll(async () => {
      await sql.end();
      await database.drop();
    });

    test("have the same memories in scope, whatever the filter", { timeout: 180_000 }, async () => {
      const matched: number[] = [];
      await fc.assert(
        fc.asyncProperty(stores, questions, async (store, asked) => {
          const owners = await storeAll(sql, store);
          const memories = createSystemOfRecord(sql, GENERATION);
          for (const { space, isOfTeam, readsKnowledge, ...question } of asked) {
            const filter = asAsked(question.filter, owners, readsKnowledge);
            const caller = someCaller(owners, readsKnowledge, {
              teamId: isOfTeam ? owners.team : null,
              ...{ projects: null, pathPrefix: null, buckets: null },
              ...space,
            });
            const inRecord = (await memories.matchingIds(caller, filter)).sort();
            const { found, counted } = await recalled(caller, { memories, index, filter });
            expect(found).toEqual(inRecord);
            // What an index has in scope besides, the record would drop: but the ranker counts it.
            expect(counted).toBe(inRecord.length);
            expect(await explained(memories, caller, filter)).toEqual(filter.asOf === null ? inRecord : null);
            matched.push(inRecord.length);
          }
        }),
        { numRuns: runs(storesFilled), endOnFailure: true },
      );
      const someOfThem = matched.filter((count) => count > 0 && count < MEMORIES);
      expect(someOfThem.length).toBeGreaterThan(matched.length / 3);
    });

    test("match paths with a pattern as LIKE is defined", { timeout: 180_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(stores, pathsAndPatterns, async (store, [paths, patterns]) => {
          const placed = store.map(({ document, ...more }, at) => ({
            ...more,
            document: { ...document, path: paths[at] as string },
          }));
          const owners = await storeAll(sql, placed);
          const memories = createSystemOfRecord(sql, GENERATION);
          const everywhere = { teamId: null, projects: null, pathPrefix: null, buckets: null };
          const caller = someCaller(owners, true, everywhere);
          const all = { ...everyLiveMemory(10), status: "%" };
          const ids = await memories.matchingIds(caller, all);
          const rows = await sql<{ id: string; path: string }[]>`
            select id, path from memories where id = any(${ids})`;
          for (const path of patterns) {
            const expected = rows.filter((row) => isLike(row.path, path)).map(({ id }) => id);
            const filter = { ...all, path };
            expect((await memories.matchingIds(caller, filter)).sort()).toEqual(expected.sort());
            expect((await recalled(caller, { memories, index, filter })).found).toEqual(expected);
          }
        }),
        { numRuns: runs(storesFilled), endOnFailure: true },
      );
    });
  });
}

/** The memories that no part of the filter is said to leave out; null for a past, which only the record knows. */
async function explained(
  memories: ReturnType<typeof createSystemOfRecord>,
  caller: Caller,
  filter: MemoryFilter,
): Promise<string[] | null> {
  if (filter.asOf !== null) return null;
  const found: string[] = [];
  for (const status of ["%", "soft_deleted"]) {
    const all = { ...everyLiveMemory(filter.now), status };
    const ids = await memories.matchingIds(caller, all);
    const { memories: read } = await memories.readMatching(caller, ids, all);
    found.push(...read.filter((memory) => leftOutBy(memory, filter).length === 0).map(({ id }) => id));
  }
  return found.sort();
}

interface Owners {
  readonly user: string;
  readonly team: string;
}

/** Stores memories of a user and of a team that it is in. */
async function storeAll(sql: Sql, store: readonly SomeMemory[]): Promise<Owners> {
  const owners = { user: randomUUID(), team: randomUUID() };
  const rows = store.map(({ document, ...more }) => rowOf(document, more, owners));
  const versions = store.flatMap(({ statusBefore, updatedAt }, at) =>
    statusBefore === null ? [] : [{ memory: rows[at]?.id as string, status: statusBefore, updatedAt }],
  );
  await sql.begin(async (tx) => {
    await tx`insert into owners (id, kind, name) values (${owners.user}, 'user', ${owners.user}), (${owners.team}, 'team', ${owners.team})`;
    await tx`insert into team_members (team_id, user_id, role) values (${owners.team}, ${owners.user}, 'viewer')`;
    await tx`insert into memories ${tx(rows)}`;
    for (const { memory, status, updatedAt } of versions) {
      await tx`
        insert into memory_versions (owner_id, memory, revision, state, valid_to)
        select owner_id, id, 1, to_jsonb(m) || ${{ status } as never}::jsonb, ${updatedAt}::timestamptz from memories m where id = ${memory}`;
    }
  });
  return owners;
}

function rowOf(document: IndexDocument, more: Omit<SomeMemory, "document">, owners: Owners) {
  const id = randomUUID();
  return {
    id,
    memory_id: `m-${document.seq}`,
    agent_id: more.agentId,
    owner_id: document.scope === "team" ? owners.team : owners.user,
    author_id: owners.user,
    author_token: id,
    scope: document.scope,
    project_id: document.projectId,
    path: document.path,
    bucket: document.bucket,
    memory_type: document.memoryType,
    workspace_item: document.isItem ? "todo" : null,
    status: more.isRedacted ? "redacted" : document.status,
    superseded_until: document.supersededUntil,
    superseded_status: document.supersededStatus,
    session_id: document.sessionId,
    source: document.source,
    // A word that all have and all are asked for: what is in scope is found.
    content: `tea ${document.content}`,
    metadata: more.metadata as never,
    provenance: {},
    importance: 0.5,
    confidence: 1,
    version: 1,
    created_at: document.createdAt,
    updated_at: more.updatedAt,
    expires_at: document.expiresAt,
  };
}

/** The filter with owners in place of their names, and with knowledge for nobody who may not read it. */
function asAsked(filter: MemoryFilter, { team }: Owners, readsKnowledge: boolean): MemoryFilter {
  return {
    ...filter,
    teamId: filter.teamId === null ? null : team,
    includeKnowledge: filter.includeKnowledge && readsKnowledge,
  };
}

function someCaller({ user }: Owners, readsKnowledge: boolean, space: Caller["space"]): Caller {
  return {
    tokenId: user,
    limitKey: user,
    tokenKind: "api_key",
    owner: { id: user, kind: "user", name: user },
    scopes: new Set(readsKnowledge ? ["memory:read", "knowledge:read"] : ["memory:read"]),
    space,
    onlyFor: null,
    attribution: UNATTRIBUTED,
    projectId: null,
    requestId: user,
  };
}

/** What a recall finds by the index, and how many memories the index has in scope. */
async function recalled(
  caller: Caller,
  ask: {
    memories: ReturnType<typeof createSystemOfRecord>;
    index: RecallIndex;
    filter: MemoryFilter;
  },
): Promise<{ found: string[]; counted: number }> {
  const sets: CandidateSet[] = [];
  const index: RecallIndex = {
    ...ask.index,
    async candidates(request) {
      const set = await ask.index.candidates(request);
      sets.push(set);
      return set;
    },
  };
  const embedder = { query: () => Promise.reject(new Error("nobody asks for vectors")) };
  const { hits } = await retrieve(
    {
      store: ask.memories,
      lexicon,
      reranker: null,
      serving: () => ({ index, embedder, generation: GENERATION, tokens: null, multilingual: null }),
      pace: UNPACED,
      watch: UNWATCHED,
    },
    caller,
    {
      query: "tea",
      filter: ask.filter,
      hitsMax: MEMORIES,
      comparedMax: MEMORIES,
      scoreMin: 0,
      candidateCount: null,
      retrievers: ["lexical"],
      prefersWorking: false,
      askedAt: ask.filter.now,
      timeZone: "UTC",
    },
  );
  return {
    found: hits.map(({ memory }) => memory.id).sort(),
    counted: sets[0]?.statistics.memoryCount as number,
  };
}
