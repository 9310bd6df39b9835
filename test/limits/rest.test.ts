/** What a client over REST sees of the limits, with a clock that stands still until it is told to move. */
import { describe, expect, test } from "vitest";
import { createMemoryCounter } from "../../src/adapters/rate-limit/memory-counter.ts";
import { rateLimitedBody } from "../../src/contract/rate-limit.ts";
import { DomainError } from "../../src/core/error.ts";
import { createRateLimiter, quotasOf, type RateCounter } from "../../src/core/limits/rate-limiter.ts";
import { KEY, type Sending, world } from "../surfaces/rest/world.ts";

/** Half past a minute. */
const NOW = 1_800_000_030_000;
const RESET = "1800000060";
const QUOTAS = { dataPlane: 6, writes: 2, reads: 3 };

function limited(options: Parameters<typeof world>[0] & { counter?: RateCounter } = {}) {
  const clock = { now: NOW };
  const reported: unknown[] = [];
  const { counter = createMemoryCounter(() => clock.now), deps, ...rest } = options;
  const rateLimiter = createRateLimiter({
    counter,
    quotas: quotasOf(QUOTAS),
    report: (error) => reported.push(error),
  });
  return { clock, reported, ...world({ ...rest, deps: { rateLimiter, ...deps } }) };
}

type Limited = ReturnType<typeof limited>;

const told = ({ status, headers }: Response) => [
  status,
  headers.get("x-ratelimit-policy"),
  headers.get("x-ratelimit-limit"),
  headers.get("x-ratelimit-remaining"),
  headers.get("x-ratelimit-reset"),
];

const read = ({ send }: Limited, how?: Sending) => send("GET", "/v1/memories", how);
const write = ({ send }: Limited, how?: Sending) => send("POST", "/v1/memories/m/restore", how);
const neither = ({ send }: Limited, how?: Sending) => send("GET", "/v1/agents/status", how);

/** A request from an address, as a server's runtime would hand it over. */
function from(
  address: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Request {
  const init = body ? { body: JSON.stringify(body) } : {};
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...init,
  });
  return Object.assign(request, { ip: address });
}

test("without limits no answer speaks of them", async () => {
  expect(told(await world().send("GET", "/v1/memories"))).toEqual([200, null, null, null, null]);
});

test("an answer tells of the category that has the least left", async () => {
  const service = limited();
  expect(told(await read(service))).toEqual([200, "read;w=60;q=3", "3", "2", RESET]);
  expect(told(await write(service))).toEqual([200, "write;w=60;q=2", "2", "1", RESET]);
  for (let more = 0; more < 3; more += 1) await neither(service);
  // Data has 0 left of 6, read 1 of 3.
  expect(told(await read(service))).toEqual([200, "data;w=60;q=6", "6", "0", RESET]);
});

test("the request after the last is 429, says when to come back, and does nothing", async () => {
  const service = limited();
  await write(service);
  await write(service);
  service.clock.now += 500;
  const refused = await write(service);
  expect(told(refused)).toEqual([429, "write;w=60;q=2", "2", "0", RESET]);
  expect(refused.headers.get("retry-after")).toBe("30");
  const body = await refused.json();
  expect(rateLimitedBody.parse(body)).toEqual(body);
  expect(body).toEqual({
    detail: expect.stringContaining("write"),
    code: "rate_limited",
    category: "write",
    policy: "write;w=60;q=2",
    limit: 2,
    window_seconds: 60,
    retry_after_seconds: 30,
  });
  expect(service.calls).toHaveLength(2);
  expect(service.lines.at(-1)).toMatchObject({ status: 429, code: "rate_limited", tokenId: "token-1" });
  // The other category has some left.
  expect((await read(service)).status).toBe(200);
});

test("the next minute begins anew", async () => {
  const service = limited();
  for (let more = 0; more < 4; more += 1) await read(service);
  expect((await read(service)).status).toBe(429);
  service.clock.now = Number(RESET) * 1000;
  expect(told(await read(service))).toEqual([200, "read;w=60;q=3", "3", "2", "1800000120"]);
});

test("refused requests count too", async () => {
  const service = limited();
  const refused = [
    await read(service, { headers: { "x-project-id": "not a project" } }),
    await service.send("GET", "/v1/memories?limit=nonsense"),
    await neither(service),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 403]);
  expect(told(refused[0] as Response)).toEqual([422, "read;w=60;q=3", "3", "2", RESET]);
  expect(told(await write(service))).toEqual([200, "write;w=60;q=2", "2", "1", RESET]);
  expect(told(await read(service))).toEqual([200, "read;w=60;q=3", "3", "0", RESET]);
  expect((await read(service)).status).toBe(429);
  // Six have counted so far; even the one that `read` refused.
  expect(told(await neither(service)).slice(0, 2)).toEqual([429, "data;w=60;q=6"]);
});

test("a body that is refused is not read", async () => {
  const service = limited();
  await write(service);
  await write(service);
  const body = new ReadableStream(
    {
      pull() {
        throw new Error("was read");
      },
    },
    { highWaterMark: 0 },
  );
  expect((await service.send("POST", "/v1/remember", { body })).status).toBe(429);
  expect(service.lines.at(-1)?.fault).toBeUndefined();
});

test("a problem document says the same", async () => {
  const service = limited();
  for (let more = 0; more < 3; more += 1) await read(service);
  const response = await read(service, { headers: { accept: "application/problem+json" } });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({
    type: "urn:recollect:problem:rate_limited",
    status: 429,
    code: "rate_limited",
    category: "read",
    policy: "read;w=60;q=3",
    limit: 3,
    window_seconds: 60,
    retry_after_seconds: 30,
  });
});

test("probes, documents and paths that are nowhere are not counted", async () => {
  const service = limited();
  for (let more = 0; more < 10; more += 1) {
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/v1/nowhere"]) {
      expect((await service.send("GET", path)).headers.get("x-ratelimit-limit")).toBeNull();
    }
  }
  expect(told(await neither(service))[3]).toBe("5");
});

describe("a credential that is not valid", () => {
  const wrong = (address: string) => from(address, "GET", "/v1/memories", { "x-api-key": "wrong" });

  test("is 401 until its address has tried too often, then 429; a valid one goes on", async () => {
    const { fetch } = limited();
    for (let tries = 1; tries <= 60; tries += 1) {
      expect(told(await fetch(wrong("192.0.2.1")))).toEqual([
        401,
        "authentication;w=60;q=60",
        "60",
        String(60 - tries),
        RESET,
      ]);
    }
    const refused = await fetch(wrong("192.0.2.1"));
    expect([refused.status, (await refused.json()).category]).toEqual([429, "authentication"]);
    expect((await fetch(from("192.0.2.1", "GET", "/v1/memories", { "x-api-key": KEY }))).status).toBe(200);
    expect((await fetch(wrong("192.0.2.2"))).status).toBe(401);
  });

  test("counts for the whole /64 of an IPv6 address", async () => {
    const { fetch } = limited();
    for (let tries = 0; tries < 60; tries += 1) await fetch(wrong(`2001:db8:1:2::${tries.toString(16)}`));
    expect((await fetch(wrong("2001:db8:1:2:ffff::1"))).status).toBe(429);
    expect((await fetch(wrong("2001:db8:1:3::1"))).status).toBe(401);
  });
});

describe("registration", () => {
  const registration = { entry_type: "cli", client_name: "c", installation_fingerprint: "f" };
  const register = (address: string, headers: Record<string, string> = {}) =>
    from(address, "POST", "/v1/agents/register", headers, registration);
  /** More of the data plane than of registrations. */
  const registering = (counter?: RateCounter) => {
    const clock = () => NOW;
    const rateLimiter = createRateLimiter({
      counter: counter ?? createMemoryCounter(clock),
      quotas: quotasOf({ ...QUOTAS, dataPlane: 600 }),
      report: () => {},
    });
    return world({ deps: { rateLimiter } });
  };

  test("is let in twenty times a minute from one address", async () => {
    const { fetch, calls } = registering();
    for (let more = 0; more < 20; more += 1) expect((await fetch(register("192.0.2.1"))).status).toBe(200);
    const refused = await fetch(register("192.0.2.1"));
    expect(told(refused)).toEqual([429, "registration;w=60;q=20", "20", "0", RESET]);
    expect((await fetch(register("192.0.2.2"))).status).toBe(200);
    expect(calls).toHaveLength(21);
  });

  test("is not let in more often with a credential, which a registration hands out", async () => {
    const { fetch } = registering();
    for (let more = 0; more < 20; more += 1) await fetch(register("192.0.2.1", { "x-api-key": KEY }));
    expect((await fetch(register("192.0.2.1", { "x-api-key": KEY }))).status).toBe(429);
    expect((await fetch(register("192.0.2.1"))).status).toBe(429);
  });

  test("is refused while nothing can be counted", async () => {
    const { fetch, calls } = registering(away);
    const refused = await fetch(register("192.0.2.1"));
    expect([refused.status, (await refused.json()).code, refused.headers.get("retry-after")]).toEqual([
      503,
      "dependency_unavailable",
      "2",
    ]);
    expect(calls).toEqual([]);
  });
});

const isAway = () => Promise.reject(new Error("The counts are away."));
const away: RateCounter = { hit: isAway, read: isAway };

test("while nothing can be counted requests pass, and it is reported once", async () => {
  const service = limited({ counter: away });
  for (let more = 0; more < 10; more += 1) {
    expect(told(await read(service))).toEqual([200, null, null, null, null]);
  }
  expect((await read(service, { key: "wrong" })).status).toBe(401);
  expect(service.reported).toHaveLength(1);
});

test("what fails after it was counted says how the requester stands", async () => {
  const service = limited({
    answer: () => {
      throw new DomainError("not_found", "There is none.");
    },
  });
  expect(told(await read(service))).toEqual([404, "read;w=60;q=3", "3", "2", RESET]);
});
