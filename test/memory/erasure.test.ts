import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEMORY_MEMBERS } from "../../src/core/memory/memory-record.ts";
import {
  eventually,
  expectRefusal,
  found,
  freshOwner,
  listed,
  memory,
  stored,
  unguessable,
} from "../support/acting.ts";
import { noise } from "../support/secrets.ts";
import { columnsHolding, columnsOfWords } from "../support/stored-text.ts";
import { type Answer, type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });

/** All but hashes, the agent that acts, and what todos and decisions say: each holds the word of a wordy memory. */
const WORDY = columnsOfWords("memories", MEMORY_MEMBERS, [
  "createHash",
  "dedupeHash",
  "instanceHash",
  "agentId",
  "itemStatus",
  "itemAgent",
]);

/** A memory that has left its words everywhere a memory can: row, versions, dedupe, answers, feedback, audit. */
async function wordy(client: Client, word: string, given: Record<string, unknown> = {}): Promise<string> {
  const body = memory({
    content: `The word is ${word}.`,
    source: word,
    logic_path: word,
    semantic_key: word,
    metadata: { word, [word]: 1, occurred_at: "2020-01-01T00:00:00Z" },
    provenance: { tool: word, session_id: word, agent_name: word, agent_id: "the-agent", task_id: word },
    ...given,
  });
  // The id of the agent that acts is recorded in the audit log, which stays: so it is none of the memory's words.
  const headers = {
    "x-session-id": word,
    "x-agent-name": word,
    "x-agent-id": "the-agent",
    "x-task-id": word,
  };
  const { body: answer } = await client.post("/v1/remember", body, { "idempotency-key": `key-${word}` });
  await client.post("/v1/remember", body, headers);
  await client.patch(
    `/v1/memories/${answer.id}`,
    { content: `Now the word is ${word}!`, supersession_reason: word },
    headers,
  );
  await client.post(
    "/v1/recall/feedback",
    { memory_id: answer.id, helpful: true, query: word },
    { "idempotency-key": `f-${word}` },
  );
  await client.delete(`/v1/memories/${answer.id}?reason=${word}`);
  await client.post(`/v1/memories/${answer.id}/restore`);
  await found(client, word);
  return answer.id;
}

test.each(["DELETE", "forget"])(
  "after a hard delete by %s no table holds anything of the memory",
  async (way) => {
    const client = await someone();
    const word = unguessable();
    const id = await wordy(client, word);
    expect(await columnsHolding(world.service.sql, word)).toEqual(expect.arrayContaining(WORDY));
    const answer =
      way === "DELETE"
        ? await client.delete(`/v1/memories/${id}?mode=hard_delete&reason=${word}`)
        : await client.post(
            `/v1/memories/${id}/forget`,
            { mode: "hard_delete", reason: word },
            { "idempotency-key": "once" },
          );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        mode: "hard_delete",
        status: "hard_deleted",
        reversible: false,
        receipt: { id: expect.any(String) },
      },
    });
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    const [left] = await world.service.sql`
    select (select count(*) from embeddings) - (select count(*) from embeddings join memories on id = memory) as orphans`;
    expect(left?.orphans).toBe(0);
    for (const path of ["", "/versions"])
      expectRefusal(await client.get(`/v1/memories/${id}${path}`), 404, "not_found");
    expectRefusal(await client.post(`/v1/memories/${id}/restore`), 404, "not_found");
    expect(await listed(client, { status: "soft_deleted" })).toEqual([]);
    for (const status of ["active", "%"]) expect(await found(client, `word ${word}`, { status })).toEqual([]);
  },
);

test("a soft-deleted and a superseded memory can be deleted for good as well", async () => {
  const client = await someone();
  const [word, other] = [unguessable(), unguessable()];
  const soft = await wordy(client, word);
  await client.delete(`/v1/memories/${soft}`);
  const old = await wordy(client, other);
  const now = await stored(client, { content: "the newest" });
  await client.patch(`/v1/memories/${old}`, { superseded_by: now });
  for (const id of [soft, old])
    expect((await client.delete(`/v1/memories/${id}?mode=hard_delete`)).status).toBe(200);
  for (const text of [word, other]) expect(await columnsHolding(world.service.sql, text)).toEqual([]);
  expect(await listed(client)).toEqual(["the newest"]);
});

test("an id that was hard-deleted can be used again, and the old text stays away", async () => {
  const client = await someone();
  await stored(client, { memory_id: "again", content: "old words about lighthouses" });
  await client.delete("/v1/memories/again?mode=hard_delete");
  await stored(client, { memory_id: "again", content: "fresh words about bicycles" });
  const { body } = await client.get("/v1/memories/search?query=lighthouses");
  expect(JSON.stringify(body)).not.toContain("old words");
  expect((await client.get("/v1/memories/again/versions")).body.versions).toHaveLength(1);
});

test("the answer kept for an Idempotency-Key holds nothing of a deleted memory", async () => {
  const client = await someone();
  const word = unguessable();
  const id = await wordy(client, word);
  await client.delete(`/v1/memories/${id}?mode=hard_delete`);
  const replay = await client.post("/v1/remember", memory({ content: "other" }), {
    "idempotency-key": `key-${word}`,
  });
  expectRefusal(replay, 409, "conflict");
  expect(JSON.stringify(replay.body)).not.toContain(word);
});

describe("of a memory that is erased, the answers kept for Idempotency-Keys", () => {
  // Built, so that it is no finding of those who look for secrets in code.
  const SECRET = `gh${"p_"}${noise(36)}`;
  const masked = (name: string) => ({ metadata: { [name]: `use ${SECRET}` } });

  /** Ways of writing a memory whose answer names a member of its metadata: the word. They answer its id. */
  const ways: Readonly<Record<string, (send: Client["post"], word: string) => Promise<string>>> = {
    "a create": async (send, word) => (await send("/v1/memories", memory(masked(word)))).body.id,
    "the same create again": async (send, word) => {
      const body = memory({ memory_id: unguessable("id-"), ...masked(word) });
      await send("/v1/memories", body);
      return (await send("/v1/memories", body)).body.id;
    },
    "a repeat that is not taken over": async (send, word) => {
      const { id } = (await send("/v1/remember", memory({ metadata: { [word]: 1 } }))).body;
      expect((await send("/v1/remember", memory({ metadata: { [word]: 2 } }))).body.id).toBe(id);
      return id;
    },
    "a batch": async (send, word) => {
      const items = [
        memory({ content: "another" }),
        memory(masked(word)),
        memory({ dedupe: true, ...masked(`${word}-2`) }),
      ];
      return (await send("/v1/memories/batch", { items })).body.results[1].id;
    },
    "a deletion": async (send, word) => {
      const { id } = (await send("/v1/memories", memory())).body;
      await send(`/v1/memories/${id}/forget`, masked(word));
      await send(`/v1/memories/${id}/forget`, masked(`${word}-2`));
      return id;
    },
    "a redaction": async (send, word) => {
      const { id } = (await send("/v1/memories", memory())).body;
      await send(`/v1/memories/${id}/forget`, { mode: "redact", ...masked(word) });
      return id;
    },
  };

  const cases = Object.entries(ways).flatMap(([way, write]) =>
    ["hard_delete", "redact"].map((mode) => [way, mode, write] as const),
  );
  test.each(cases)("of %s name nothing of it after %s", async (_, mode, write) => {
    const client = await someone();
    const word = unguessable();
    const sent: { send: () => Promise<Answer>; first: Answer }[] = [];
    const id = await write(async (path, body) => {
      const key = { "idempotency-key": unguessable() };
      const send = () => client.post(path, body, key);
      const first = await send();
      expect((await send()).body).toEqual(first.body);
      sent.push({ send, first });
      return first;
    }, word);
    expect(await columnsHolding(world.service.sql, word)).toContain("idempotency_keys.answer");
    expect((await client.delete(`/v1/memories/${id}?mode=${mode}`)).status).toBe(200);
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    for (const { send, first } of sent) {
      const { status, body } = await send();
      expect({ status, body }).toEqual({ status: first.status, body: saidWithoutRemarks(first.body) });
    }
  });

  test("tell no more of what it was than to who may not read", async () => {
    const owner = freshOwner();
    const client = await world.client({ owner });
    const metadata = { due_at: "2030-01-01T00:00:00Z", recurrence: "FREQ=DAILY" };
    const id = await stored(client, { memory_type: "reminder", metadata });
    const key = { "idempotency-key": unguessable() };
    const complete = () => client.post(`/v1/reminders/${id}/complete`, {}, key);
    const judge = () =>
      client.post(
        "/v1/recall/feedback",
        { memory_id: id, helpful: true },
        { "idempotency-key": unguessable() },
      );
    const { next_due_at, ...completed } = (await complete()).body;
    expect(next_due_at).toEqual(expect.any(String));
    expect((await judge()).body.confidence).toEqual(expect.any(Number));
    await client.delete(`/v1/memories/${id}?mode=redact`);
    expect((await complete()).body).toEqual(completed);
    const [kept] = await world.service.sql`
      select count(*)::int as telling from idempotency_keys
      where token_id = ${client.tokenId} and (answer ? 'confidence' or answer ? 'next_due_at')`;
    expect(kept?.telling).toBe(0);
  });

  test("name nothing that was said with the deletion", async () => {
    const client = await someone();
    const word = unguessable();
    const id = await stored(client);
    const { status, body } = await client.post(
      `/v1/memories/${id}/forget`,
      { mode: "hard_delete", ...masked(word) },
      { "idempotency-key": unguessable() },
    );
    expect({ status, reason: body.reason }).toEqual({
      status: 200,
      reason: "metadata of the request not kept: nothing remains of what is hard-deleted",
    });
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  });
});

/** An answer, or those of a batch, without what it did otherwise than it was asked to. */
function saidWithoutRemarks({ reason: _, masked: __, results, ...answer }: Answer["body"]): object {
  return { ...answer, ...(results ? { results: results.map(saidWithoutRemarks) } : {}) };
}

test("a receipt is pending, then confirmed once every store has confirmed, and says no content", async () => {
  const client = await someone();
  const word = unguessable();
  const id = await wordy(client, word);
  const { body } = await client.delete(`/v1/memories/${id}?mode=hard_delete`);
  expect(body.receipt).toEqual({
    id: expect.any(String),
    state: expect.stringMatching(/^(pending|confirmed)$/),
    digest: expect.stringMatching(/^[0-9a-f]{32,}$/),
    removed: expect.objectContaining({ memories: 1 }),
    remaining: [],
  });
  expect(body.receipt.removed.versions).toBeGreaterThan(0);
  const read = await eventually(
    () => client.get(`/v1/receipts/${body.receipt.id}`),
    (answer) => answer.body.state === "confirmed",
  );
  expect(read.body).toEqual({ ...body.receipt, state: "confirmed" });
  expect(JSON.stringify(read.body)).not.toContain(word);
});

test("a receipt is its owner's alone", async () => {
  const [client, stranger] = [await someone(), await someone()];
  const { body } = await client.delete(`/v1/memories/${await stored(client)}?mode=hard_delete`);
  expectRefusal(await stranger.get(`/v1/receipts/${body.receipt.id}`), 404, "not_found");
  expectRefusal(await client.get("/v1/receipts/unknown"), 404, "not_found");
});

test("redacting keeps the id and puts [redacted] in place of content, and no table holds the rest", async () => {
  const client = await someone();
  const word = unguessable();
  const id = await wordy(client, word);
  expect(await columnsHolding(world.service.sql, word)).toEqual(expect.arrayContaining(WORDY));
  const answer = await client.delete(`/v1/memories/${id}?mode=redact&reason=${word}`);
  expect(answer).toMatchObject({
    status: 200,
    body: { id, mode: "redact", status: "redacted", reversible: false },
  });
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
  const { body } = await client.get(`/v1/memories/${id}`);
  expect(body).toMatchObject({
    id,
    content: "[redacted]",
    status: "redacted",
    metadata: {},
    provenance: {},
    source: null,
  });
  expect((await client.get(`/v1/memories/${id}/versions`)).body.versions).toHaveLength(1);
  expect(await listed(client)).toEqual([]);
  expect(await found(client, word)).toEqual([]);
  await eventually(
    () => client.get(`/v1/receipts/${answer.body.receipt.id}`),
    (read) => read.body.state === "confirmed",
  );
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
});

test("forget puts the given content and metadata in place of what it redacts", async () => {
  const client = await someone();
  const word = unguessable();
  const id = await wordy(client, word);
  await client.post(`/v1/memories/${id}/forget`, {
    mode: "redact",
    replacement_content: "A name, removed.",
    metadata: { ticket: 7 },
  });
  expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({
    content: "A name, removed.",
    metadata: { ticket: 7 },
  });
  expect(await columnsHolding(world.service.sql, word)).toEqual([]);
});

test("redaction names what remains of its chain, and leaves it", async () => {
  const client = await someone();
  const ids = [];
  for (const content of ["one", "two", "three"])
    ids.push(await stored(client, { content, semantic_key: "k" }));
  const { body } = await client.delete(`/v1/memories/${ids[1]}?mode=redact`);
  expect(body.receipt.remaining).toEqual([ids[0], ids[2]]);
  expect(await listed(client)).toEqual(["three"]);
  expect(await listed(client, { status: "superseded" })).toEqual(["one"]);
});

test("a redacted memory cannot be changed, restored or superseded", async () => {
  const client = await someone();
  const id = await stored(client);
  await client.delete(`/v1/memories/${id}?mode=redact`);
  expectRefusal(await client.patch(`/v1/memories/${id}`, { content: "x" }), 409, "conflict");
  expectRefusal(await client.post(`/v1/memories/${id}/restore`), 409, "not_restorable");
  expect(await listed(client, { status: "redacted" })).toEqual(["[redacted]"]);
});

test("a redacted reminder cannot be brought back by completing it", async () => {
  const client = await someone();
  const id = await stored(client, { memory_type: "reminder", metadata: { due_at: "2030-01-01T00:00:00Z" } });
  await client.delete(`/v1/memories/${id}?mode=redact`);
  const { status } = await client.post(`/v1/reminders/${id}/complete`, {});
  expect(status).toBeGreaterThanOrEqual(400);
  expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({ status: "redacted", metadata: {} });
});

test("a redacted memory that is deleted and restored comes back redacted", async () => {
  const client = await someone();
  const id = await stored(client);
  await client.delete(`/v1/memories/${id}?mode=redact`);
  await client.delete(`/v1/memories/${id}`);
  expect((await client.post(`/v1/memories/${id}/restore`)).body).toEqual({ id, status: "redacted" });
  expect(await listed(client)).toEqual([]);
});

test("a redacted text is no duplicate any more, and its id is taken", async () => {
  const client = await someone();
  const id = await stored(client, { memory_id: "redacted" });
  await client.delete(`/v1/memories/${id}?mode=redact`);
  expect((await client.post("/v1/remember", memory())).body.deduplicated).toBe(false);
  expectRefusal(
    await client.post("/v1/memories", memory({ memory_id: "redacted" })),
    409,
    "memory_id_conflict",
  );
});

test("of two hard deletes at once one removes the memory and the other finds nothing", async () => {
  const client = await someone();
  const id = await stored(client);
  const answers = await Promise.all(
    [1, 2, 3].map(() => client.delete(`/v1/memories/${id}?mode=hard_delete`)),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404]);
});

test("what is written while it is being deleted for good leaves nothing behind", async () => {
  const client = await someone();
  for (let round = 0; round < 5; round++) {
    // A question that found nothing is kept: so it says none of the memory's own words, and each round has its own.
    const word = unguessable();
    const id = await stored(client, { content: `The word is ${word}.` });
    await Promise.all([
      client.patch(`/v1/memories/${id}`, { content: `Now ${word} it is.` }),
      client.delete(`/v1/memories/${id}?mode=hard_delete`),
      client.post("/v1/recall/feedback", { memory_id: id, helpful: false, query: word }),
      found(client, "which word is it"),
    ]);
    expect(await columnsHolding(world.service.sql, word)).toEqual([]);
    expect(await found(client, word)).toEqual([]);
  }
});
