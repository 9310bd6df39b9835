/** What a client may hold open by a body that does not come. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { world } from "./world.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const JSON_TYPE = { "content-type": "application/json" };

/** A body that begins and never ends; tells whether it was given up. */
function endless() {
  const state = { isGivenUp: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(2 * 1024 * 1024)),
    cancel: () => {
      state.isGivenUp = true;
    },
  });
  return { state, body };
}

/** The answer, and whatever time it takes. */
async function passed<T>(answer: Promise<T>, ms: number): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms);
  return answer;
}

test("a body that takes longer than a minute is refused, and the connection ends with the answer", async () => {
  const { send, calls } = world();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
  const response = await passed(send("POST", "/v1/remember", { body, headers: JSON_TYPE }), 60_000);
  expect([response.status, response.headers.get("connection")]).toEqual([422, "close"]);
  expect((await response.json()).detail).toMatchObject([{ loc: ["body"], type: "body_incomplete" }]);
  expect(calls).toEqual([]);
});

test("a body that nobody wants is taken in behind its answer for half a minute", async () => {
  const { body, state } = endless();
  const response = await passed(world().send("POST", "/v1/remember", { body, key: null }), 1000);
  expect([response.status, response.headers.get("connection"), state.isGivenUp]).toEqual([401, null, false]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(state.isGivenUp).toBe(true);
});

test("of such bodies one address has a few at a time, and the others still have theirs", async () => {
  const { fetch } = world();
  const sent = Array.from({ length: 20 }, () => {
    const { body, state } = endless();
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const request = Object.assign(new Request("http://localhost/v1/remember", init), { ip: "192.0.2.1" });
    return { state, answer: Promise.resolve(fetch(request)) };
  });
  await vi.advanceTimersByTimeAsync(1000);
  const answers = await Promise.all(sent.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(401));
  expect(answers.filter(({ headers }) => headers.get("connection") === "close")).toHaveLength(4);
  expect(sent.filter(({ state }) => state.isGivenUp)).toHaveLength(4);
  const { body, state } = endless();
  const other = Object.assign(
    new Request("http://localhost/v1/remember", { method: "POST", body, duplex: "half" } as RequestInit),
    { ip: "192.0.2.2" },
  );
  const answer = await passed(Promise.resolve(fetch(other)), 1000);
  expect([answer.headers.get("connection"), state.isGivenUp]).toEqual([null, false]);
  await vi.advanceTimersByTimeAsync(30_000);
});

test("a body that turns out too large is taken in behind its answer as well", async () => {
  const { body, state } = endless();
  const response = await passed(world().send("POST", "/v1/remember", { body, headers: JSON_TYPE }), 1000);
  expect([response.status, state.isGivenUp]).toEqual([413, false]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(state.isGivenUp).toBe(true);
});
