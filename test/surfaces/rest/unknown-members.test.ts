import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationList } from "../../../src/contract/operations.ts";
import { runs } from "../../support/random.ts";
import { world } from "./world.ts";

const MEMORY = { content: "a", path: "p" };

interface Outcome {
  readonly status: number;
  readonly ignored: string | null;
  /** The places of a 422, with what is said of each. */
  readonly faults: string[];
  readonly calls: number;
}

async function send(method: string, path: string, body?: object | string): Promise<Outcome> {
  const { calls, send: sendTo } = world();
  const headers = { "content-type": "application/json" };
  const response = await sendTo(method, path, body === undefined ? {} : { body, headers });
  const answer = await response.json();
  const faults = Array.isArray(answer.detail) ? answer.detail : [];
  return {
    status: response.status,
    ignored: response.headers.get("x-recollect-ignored"),
    faults: faults.map(({ loc, msg }: { loc: unknown[]; msg: string }) => `${loc.join(".")} ${msg}`),
    calls: calls.length,
  };
}

describe("a member that looks like a known one misspelt is refused, with what was probably meant", () => {
  test.each([
    ["a letter too many", { ...MEMORY, contents: "b" }, "body.contents", "content"],
    ["a letter missing", { ...MEMORY, bucke: "b" }, "body.bucke", "bucket"],
    ["another letter", { ...MEMORY, buckat: "b" }, "body.buckat", "bucket"],
    ["five characters near four", { ...MEMORY, paths: "b" }, "body.paths", "path"],
    ["camel case", { ...MEMORY, semanticKey: "k" }, "body.semanticKey", "semantic_key"],
    ["kebab case", { ...MEMORY, "memory-type": "k" }, "body.memory-type", "memory_type"],
    ["upper case", { ...MEMORY, CONTENT: "k" }, "body.CONTENT", "content"],
  ])("%s in a body", async (_, body, place, meant) => {
    expect(await send("POST", "/v1/remember", body)).toEqual({
      status: 422,
      ignored: null,
      faults: [`${place} is not known here: did you mean ${meant}?`],
      calls: 0,
    });
  });

  test.each([
    ["GET", "/v1/memories/search?query=q&treshold=0.5", "query.treshold", "threshold"],
    ["GET", "/v1/recall?query=q&memoryType=semantic", "query.memoryType", "memory_type"],
    ["GET", "/v1/memories/search?query=q&metdata.topic=deploy", "query.metdata", "metadata"],
    ["GET", "/v1/memories?limits=3", "query.limits", "limit"],
    ["DELETE", "/v1/memories/m?modes=hard_delete", "query.modes", "mode"],
    [
      "POST",
      "/v1/projects/p/todos/t/assign?assignee_agentid=a",
      "query.assignee_agentid",
      "assignee_agent_id",
    ],
  ])("%s %s", async (method, path, place, meant) => {
    const { status, faults } = await send(method, path);
    expect([status, faults]).toEqual([422, [`${place} is not known here: did you mean ${meant}?`]]);
  });

  test("with all else that is wrong", async () => {
    const { faults } = await send("POST", "/v1/remember", { conten: "a", path: "p" });
    expect(faults).toEqual([
      "body.conten is not known here: did you mean content?",
      "body.content is required",
    ]);
  });

  test("of which at most ten are named", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`content${String.fromCharCode(200 + at)}`, 1]),
    );
    expect((await send("POST", "/v1/remember", { ...MEMORY, ...many })).faults).toHaveLength(10);
    const inQuery = Object.keys(many).map(
      (name) => `${encodeURIComponent(name.replace("content", "limit"))}=1`,
    );
    expect((await send("GET", `/v1/memories?${inQuery.join("&")}`)).faults).toHaveLength(10);
  });

  test("once, however much is asked of what it seems to mean", async () => {
    expect((await send("GET", "/v1/recall?query=q&metdata.topic=a&metdata.area=b")).faults).toEqual([
      "query.metdata is not known here: did you mean metadata?",
    ]);
  });
});

describe("a name that is not near enough to be refused is ignored, and named with what it perhaps meant", () => {
  test.each([
    ["four characters", { ...MEMORY, pth: 1 }, "pth (did you mean path?)"],
    ["two letters exchanged", { ...MEMORY, contnet: 1 }, "contnet (did you mean content?)"],
    ["two letters left out", { ...MEMORY, cntnt: 1 }, "cntnt (did you mean content?)"],
    ["more than one slip", { ...MEMORY, sematnic_kye: 1 }, "sematnic_kye (did you mean semantic_key?)"],
    ["others beside it", { ...MEMORY, mood: 1, bukcet: 1 }, "mood, bukcet (did you mean bucket?)"],
  ])("%s in a body", async (_, body, ignored) => {
    const outcome = await send("POST", "/v1/remember", body);
    expect([outcome.status, outcome.ignored, outcome.calls]).toEqual([201, ignored, 1]);
  });

  test.each([
    ["GET", "/v1/memories?limti=3", undefined, "limti (did you mean limit?)"],
    [
      "GET",
      "/v1/memories/search?query=q&metdtaa.topic=a",
      undefined,
      "metdtaa.topic (did you mean metadata.topic?)",
    ],
    [
      "POST",
      "/v1/memories/batch",
      { items: [{ ...MEMORY, bukcet: 1 }, { bukcet: 2 }] },
      "items.bukcet (did you mean items.bucket?)",
    ],
    [
      "POST",
      "/v1/skill/operations",
      { operation: "remember", input: { content: "a", bukcet: "b" } },
      "input.bukcet (did you mean input.bucket?)",
    ],
  ])("%s %s", async (method, path, body, ignored) => {
    expect((await send(method, path, body)).ignored).toBe(ignored);
  });

  test.each([
    [
      "POST",
      "/v1/remember",
      { contnet: "a", path: "p" },
      "body.content is required; is `contnet` a misspelling of it?",
    ],
    ["GET", "/v1/recall?qeury=a", undefined, "query.query is required; is `qeury` a misspelling of it?"],
    [
      "POST",
      "/v1/skill/operations",
      { operation: "remember", input: { contnet: "a" } },
      "body.input.content is required; is `contnet` a misspelling of it?",
    ],
  ])(
    "and where it leaves a required one missing, that is asked: %s %s",
    async (method, path, body, fault) => {
      const { status, faults, calls } = await send(method, path, body);
      expect([status, faults, calls]).toEqual([422, [fault], 0]);
    },
  );
});

describe("a member that is not known otherwise is ignored and named", () => {
  test.each([
    ["POST", "/v1/remember", { ...MEMORY, mood: "good", colour: "red" }, "mood, colour"],
    ["POST", "/v1/remember", { ...MEMORY, "no name": 1 }, "+1"],
    ["POST", "/v1/remember?utm_source=a&mood=1", MEMORY, "utm_source, mood"],
    ["POST", "/v1/memories", { ...MEMORY, dedupe: true }, "dedupe"],
    ["GET", "/v1/memories?hello=1&hello=2&limit=3", undefined, "hello"],
    ["GET", "/v1/memories/m?metadata.a=1", undefined, "metadata.a"],
    ["GET", "/v1/memories/m", undefined, null],
    ["GET", "/v1/memories/search?query=q&metadata.utm_source=1", undefined, null],
    [
      "POST",
      "/v1/memories/batch",
      { items: [{ ...MEMORY, mood: 1 }, { mood: 2 }], mood: 3 },
      "mood, items.mood",
    ],
  ] as const)("%s %s", async (method, path, body, ignored) => {
    const outcome = await send(method, path, body);
    expect([outcome.ignored, outcome.calls]).toEqual([ignored, 1]);
  });

  test("a body that is not needed and cannot be read is no reason to refuse the request", async () => {
    const outcome = await send("POST", "/v1/memories/m/restore", "unread");
    expect([outcome.ignored, outcome.calls]).toEqual([null, 1]);
  });

  test("a refusal names it too", async () => {
    expect(await send("POST", "/v1/remember", { content: "a", mood: 1 })).toMatchObject({
      status: 422,
      ignored: "mood",
    });
  });
});

test("nothing within metadata and provenance is anybody's to know", async () => {
  const free = { contents: 1, Path: 2, "metadata.x": 3 };
  const outcome = await send("POST", "/v1/remember", { ...MEMORY, metadata: free, provenance: free });
  expect(outcome).toMatchObject({ status: 201, ignored: null });
});

test("ten are named at most, and none that could break the header; the rest is a count", async () => {
  const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
  const odd = ["a b", "a\r\nset-cookie: x", "ü", "x".repeat(65), "", "__proto__"];
  const body = JSON.stringify(MEMORY).replace(
    "}",
    `,${[...odd, ...names].map((name) => `${JSON.stringify(name)}:1`).join(",")}}`,
  );
  const { ignored } = await send("POST", "/v1/remember", body);
  expect(ignored).toBe("__proto__, n0, n1, n2, n3, n4, n5, n6, n7, n8, +8");
  expect((await send("GET", "/v1/memories?%0d%0a=1&a%20b=2")).ignored).toBe("+2");
});

test("no name can put anything else into the header", async () => {
  const { send: sendTo } = world();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: "binary", maxLength: 80 }), { maxLength: 15 }),
      async (names) => {
        const body = { ...MEMORY, ...Object.fromEntries(names.map((name) => [name, 1])) };
        const ignored = (await sendTo("POST", "/v1/remember", { body })).headers.get("x-recollect-ignored");
        if (ignored !== null)
          expect(ignored).toMatch(
            /^(?:[A-Za-z0-9_.-]{1,64}(?: \(did you mean [a-z_.]+\?\))?(?:, |$)){0,10}(?:\+\d+)?$/,
          );
      },
    ),
    { numRuns: runs(60) },
  );
});

test("no operation takes its own members for misspelt ones", async () => {
  for (const { http, input } of operationList) {
    const { send: sendTo } = world();
    const path = http.path.replaceAll(/\{(\w+)\}/g, "x");
    const isInQuery = http.method === "GET" || http.method === "DELETE";
    const names = Object.keys(input.shape);
    const response = isInQuery
      ? await sendTo(http.method, `${path}?${names.map((name) => `${name}=`).join("&")}`)
      : await sendTo(http.method, path, { body: Object.fromEntries(names.map((name) => [name, undefined])) });
    expect(await response.text(), http.path).not.toContain("did you mean");
  }
});

test("a parameter that is given twice is refused, whichever was meant", async () => {
  for (const [path, place] of [
    ["/v1/memories/m?mode=soft_delete&mode=hard_delete", "query.mode"],
    ["/v1/memories/m?mode=redact&reason=a&mode=redact", "query.mode"],
  ] as const) {
    expect(await send("DELETE", path)).toMatchObject({
      status: 422,
      faults: [`${place} must be given once`],
      calls: 0,
    });
  }
  for (const [path, place] of [
    ["/v1/memories?limit=1&limit=2", "query.limit"],
    ["/v1/recall?query=a&query=b", "query.query"],
    ["/v1/recall?query=a&metadata.topic=a&metadata.area=b&metadata.topic=c", "query.metadata.topic"],
  ] as const) {
    expect(await send("GET", path)).toMatchObject({
      status: 422,
      faults: [`${place} must be given once`],
      calls: 0,
    });
  }
  const twice = "/v1/projects/p/todos/t/assign?assignee_agent_id=a&assignee_agent_id=b";
  expect(await send("POST", twice, {})).toMatchObject({ status: 422, calls: 0 });
});

test("a value of a list that looks misspelt is answered with the one that was meant, and not repeated", async () => {
  const { send } = world();
  const skill = await send("POST", "/v1/skill/operations", { body: { operation: "remembr", input: {} } });
  const answered = JSON.stringify(await skill.json());
  expect(answered).toContain("did you mean remember?");
  expect(answered).not.toContain('remembr"');
});
