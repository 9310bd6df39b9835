/** What the settings make of the limits, in a whole service. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshOwner } from "../support/acting.ts";
import { openWorld, type World } from "../support/world.ts";
import { inOneWindow } from "./one-window.ts";

const worlds: World[] = [];
const open = async (env: Record<string, string>) => {
  const world = await openWorld(env);
  worlds.push(world);
  return world;
};
afterAll(() => Promise.all(worlds.map((world) => world.close())));

const SMALL = { RATE_LIMIT_DATA_PLANE: "9", RATE_LIMIT_WRITES: "2", RATE_LIMIT_READS: "4" };
let limited: World;
let unlimited: World;
beforeAll(async () => {
  limited = await open({ RATE_LIMIT_ENABLED: "true", ...SMALL });
  unlimited = await open(SMALL);
});

test("outside production nothing is limited unless it is asked for", async () => {
  const client = await unlimited.client();
  for (let more = 0; more < 12; more += 1) {
    const { status, headers } = await client.get("/v1/memories");
    expect([status, headers.get("x-ratelimit-limit")]).toEqual([200, null]);
  }
});

test("each of the three quotas holds, and each credential has its own", async () => {
  const statuses = await inOneWindow(async () => {
    const owner = freshOwner();
    const [one, other] = [await limited.client({ owner }), await limited.client({ owner })];
    const answers = [];
    for (let more = 0; more < 3; more += 1) {
      answers.push(await one.post("/v1/memories", { content: `memory ${more}`, path: "p" }));
    }
    for (let more = 0; more < 5; more += 1) answers.push(await one.get("/v1/memories/search?query=memory"));
    for (let more = 0; more < 2; more += 1) answers.push(await one.get("/v1/agents/status"));
    answers.push(await other.post("/v1/memories", { content: "memory 4", path: "p" }));
    return {
      resets: answers.map(({ headers }) => headers.get("x-ratelimit-reset")),
      value: answers.map(({ status, headers }) => [status, headers.get("x-ratelimit-policy")]),
    };
  });
  const [write, read, data] = ["write;w=60;q=2", "read;w=60;q=4", "data;w=60;q=9"];
  expect(statuses).toEqual([
    [201, write],
    [201, write],
    [429, write],
    [200, read],
    [200, read],
    [200, read],
    [200, read],
    [429, read],
    [403, data],
    [429, data],
    [201, write],
  ]);
});

test("two hundred requests at once are told two hundred different places", async () => {
  const world = await open({
    RATE_LIMIT_ENABLED: "true",
    RATE_LIMIT_READS: "500",
    RATE_LIMIT_DATA_PLANE: "5000",
  });
  const remaining = await inOneWindow(async () => {
    const client = await world.client();
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.get("/v1/memories/none")));
    return {
      resets: answers.map(({ headers }) => headers.get("x-ratelimit-reset")),
      value: answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))),
    };
  });
  expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, at) => 300 + at));
});

test("an address that a trusted proxy names is the one that counts", async () => {
  const world = await open({ RATE_LIMIT_ENABLED: "true", TRUSTED_PROXIES: "10.0.0.0/8,::1" });
  const remaining = async (ip: string, forwardedFor: string) => {
    const headers = { "x-api-key": "wrong", "x-forwarded-for": forwardedFor };
    const request = new Request("http://localhost/v1/memories", { headers });
    const response = await world.handle(Object.assign(request, { ip }));
    return response.headers;
  };
  const left = await inOneWindow(async () => {
    // Addresses of this attempt alone.
    const [one, other, stranger] = [1, 2, 3].map(
      (last) => `192.0.${Math.floor(Math.random() * 256)}.${last}`,
    );
    const answers = [
      await remaining("10.0.0.1", String(one)),
      await remaining("::1", `1.2.3.4, ${one}`),
      await remaining("10.0.0.1", String(other)),
      await remaining(String(stranger), String(one)),
    ];
    return {
      resets: answers.map((headers) => headers.get("x-ratelimit-reset")),
      value: answers.map((headers) => headers.get("x-ratelimit-remaining")),
    };
  });
  expect(left).toEqual(["59", "58", "59", "59"]);
});
