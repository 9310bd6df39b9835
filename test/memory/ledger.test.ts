import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exactAmount } from "../../src/core/ledger/money.ts";
import { expectRefusal, faultyPlaces, found, freshOwner, listed, memory } from "../support/acting.ts";
import { type Client, openWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const someone = () => world.client({ owner: freshOwner() });
const spend = (client: Pick<Client, "post">, given: object, headers?: Record<string, string>) =>
  client.post("/v1/ledger/expenses", { item: "Coffee beans", ...given }, headers);

test("an expense is a memory of the ledger, exact to the digit, and found as any other", async () => {
  const client = await someone();
  const answer = await spend(client, {
    amount: "12.5",
    currency: "eur",
    date: "2026-01-31",
    category: "office",
    project_id: "apollo",
    source: "buyer",
  });
  expect(answer).toMatchObject({
    status: 201,
    body: {
      id: expect.any(String),
      status: "recorded",
      amount: "12.50",
      currency: "EUR",
      date: "2026-01-31",
    },
  });
  const { body } = await client.get(`/v1/memories/${answer.body.id}`);
  expect(body).toMatchObject({
    content: "Coffee beans: 12.50 EUR, 2026-01-31 (office)",
    path: "ledger/expenses",
    bucket: "ledger",
    memory_type: "expense",
    source: "buyer",
    provenance: { project_id: "apollo" },
    metadata: {
      item: "Coffee beans",
      amount: "12.50",
      currency: "EUR",
      date: "2026-01-31",
      category: "office",
      occurred_at: "2026-01-31T00:00:00Z",
    },
  });
  expect(await listed(client, { bucket: "ledger", "metadata.currency": "EUR" })).toHaveLength(1);
  expect(await found(client, "what did we spend on coffee?")).toEqual([answer.body.id]);
});

test("without a currency it is US dollars, without a date today, and an equal one is another one", async () => {
  const client = await someone();
  const today = new Date().toISOString().slice(0, 10);
  const [one, other] = [await spend(client, { amount: 3 }), await spend(client, { amount: 3 })];
  expect(one.body).toMatchObject({ amount: "3.00", currency: "USD" });
  expect([today, new Date().toISOString().slice(0, 10)]).toContain(one.body.date);
  expect(other.body.id).not.toBe(one.body.id);
  expect(await listed(client)).toHaveLength(2);
});

test("the same Idempotency-Key adds it once", async () => {
  const client = await someone();
  const headers = { "idempotency-key": "once" };
  const answers = [await spend(client, { amount: 3 }, headers), await spend(client, { amount: 3 }, headers)];
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(await listed(client)).toHaveLength(1);
});

test("ledger:write alone is enough, and shows nothing; without it nothing is written", async () => {
  const owner = freshOwner();
  const writer = await world.client({ owner, scopes: ["ledger:write"] });
  expect((await spend(writer, { amount: 3 })).status).toBe(201);
  expectRefusal(await writer.get("/v1/memories"), 403, "insufficient_scope");
  const other = await world.client({ owner, scopes: ["memory:read", "memory:write"] });
  expectRefusal(await spend(other, { amount: 3 }), 403, "insufficient_scope");
  expect(await listed(other)).toHaveLength(1);
});

test("a credential that is confined to a path writes below it, and one of other buckets not at all", async () => {
  const owner = freshOwner();
  const below = await world.client({ owner, space: { pathPrefix: "agents/buyer" } });
  const { id } = (await spend(below, { amount: 3 })).body;
  expect((await below.get(`/v1/memories/${id}`)).body.path).toBe("agents/buyer/ledger/expenses");
  const elsewhere = await world.client({ owner, space: { buckets: ["public"] } });
  expectRefusal(await spend(elsewhere, { amount: 3 }), 403, "insufficient_scope");
});

describe("an expense that cannot be kept exactly is refused, and nothing is written", () => {
  test.each([
    [{ amount: "12.345" }, "body.amount"],
    [{ amount: 12.345, currency: "EUR" }, "body.amount"],
    [{ amount: "1.5", currency: "JPY" }, "body.amount"],
    [{ amount: "1,50" }, "body.amount"],
    [{ amount: "+1" }, "body.amount"],
    [{ amount: "1e3" }, "body.amount"],
    [{ amount: "0x10" }, "body.amount"],
    [{ amount: " 1" }, "body.amount"],
    [{ amount: "" }, "body.amount"],
    [{ amount: "NaN" }, "body.amount"],
    [{ amount: "1234567890123" }, "body.amount"],
    [{ amount: 1e12 }, "body.amount"],
    [{ amount: 0.1 + 0.2 }, "body.amount"],
    [{ amount: 1e-7 }, "body.amount"],
    [{ amount: true }, "body.amount"],
    [{}, "body.amount"],
    [{ amount: 1, currency: "EURO" }, "body.currency"],
    [{ amount: 1, currency: "ABC" }, "body.currency"],
    [{ amount: 1, currency: "DEM" }, "body.currency"],
    [{ amount: 1, date: "2026-02-30" }, "body.date"],
    [{ amount: 1, date: "31.01.2026" }, "body.date"],
    [{ amount: 1, date: "0000-01-01" }, "body.date"],
    [{ amount: 1, item: "" }, "body.item"],
    [{ amount: 1, curency: "EUR" }, "body.curency"],
  ])("%j", async (given, place) => {
    const client = await someone();
    expect(faultyPlaces(await spend(client, given))).toEqual([place]);
    expect(await listed(client)).toEqual([]);
  });
});

test("no other way into the ledger makes an expense that is not exact", async () => {
  const client = await someone();
  const { id } = (await spend(client, { amount: "12.50" })).body;
  const inexact = [
    { amount: 12.5 },
    { amount: "12.5" },
    { amount: null },
    { currency: "JPY" },
    { date: "now" },
  ];
  for (const metadata of inexact) {
    expect(faultyPlaces(await client.patch(`/v1/memories/${id}`, { metadata }))[0]).toMatch(/^body.metadata/);
    const asOther = { bucket: "ledger", memory_type: "expense", metadata };
    expect((await client.post("/v1/memories", memory(asOther))).status).toBe(422);
    expect((await client.post("/v1/remember", memory(asOther))).status).toBe(422);
    const forgotten = await client.post(`/v1/memories/${id}/forget`, { metadata });
    expect(faultyPlaces(forgotten)[0]).toMatch(/^body.metadata/);
  }
  const { body } = await client.patch(`/v1/memories/${id}`, { metadata: { amount: "13.00" } });
  expect(body.metadata.amount).toBe("13.00");
  const elsewhere = (await client.post("/v1/memories", memory({ memory_type: "expense" }))).body.id;
  const moved = await client.patch(`/v1/memories/${elsewhere}`, { bucket: "ledger" });
  expect(faultyPlaces(moved)).toEqual(["body.metadata.currency"]);
});

const places = { amount: ["amount"], currency: ["currency"] };

describe("an exact amount", () => {
  test.each([
    ["12.50", "USD", "12.50"],
    ["-0.00", "USD", "0.00"],
    ["-0.10", "USD", "-0.10"],
    ["7.0", "JPY", "7"],
    ["1", "KWD", "1.000"],
    ["0.0001", "CLF", "0.0001"],
    ["0.2", "MGA", "0.20"],
    [0, "USD", "0.00"],
    [-0, "USD", "0.00"],
    [0.1, "EUR", "0.10"],
    [999_999_999_999.99, "EUR", "999999999999.99"],
  ])("of %s %s is %s", (amount, currency, exact) => {
    expect(exactAmount(amount, currency, places)).toBe(exact);
  });

  test("is the same number of the currency's smallest coins, and its own exact amount", () => {
    fc.assert(
      fc.property(fc.bigInt(-99_999_999_999_999n, 99_999_999_999_999n), (cents) => {
        const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
        const text = `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
        const exact = exactAmount(text, "EUR", places);
        expect(BigInt(exact.replace(".", ""))).toBe(cents);
        expect(exactAmount(exact, "EUR", places)).toBe(exact);
        // Fifteen digits survive a double, so that a JSON number means what was written.
        if (digits.length <= 15) expect(exactAmount(Number(text), "EUR", places)).toBe(exact);
      }),
    );
  });
});
