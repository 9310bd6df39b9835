import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "../../stress/send-raw.ts";
import { runs, SEED } from "../../support/random.ts";
import { ADDRESSES, addresses, HEADS, MEMORY, TYPES } from "./raw-requests.ts";
import { KEY } from "./world.ts";

const FIXTURE = "test/fixtures/rest-server.ts";

const COMMANDS = {
  bun: ["node_modules/.bin/bun", FIXTURE],
  deno: ["node_modules/.bin/deno", "run", "-A", "--unstable-no-legacy-abort", FIXTURE],
  node: [process.execPath, "--import", "tsx", FIXTURE],
} as const;

type Runtime = keyof typeof COMMANDS;

/** A server on that runtime, and what it says line by line. */
class Server {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  url = "";

  constructor(runtime: Runtime, port = 0) {
    const [command, ...args] = COMMANDS[runtime];
    this.child = spawn(command, [...args, String(port)], { stdio: ["ignore", "pipe", "pipe"] });
    this.#lines = createInterface({ input: this.child.stdout as NonNullable<ChildProcess["stdout"]> })[
      Symbol.asyncIterator
    ]();
  }

  async says(): Promise<Record<string, unknown>> {
    const { value } = await this.#lines.next();
    return JSON.parse(value ?? "{}");
  }

  async started(): Promise<this> {
    this.url = String((await this.says()).url);
    return this;
  }

  async complaint(): Promise<string> {
    let text = "";
    this.child.stderr?.on("data", (chunk) => {
      text += chunk;
    });
    await once(this.child, "close");
    return text;
  }
}

const servers = new Map<Runtime, Server>();

beforeAll(async () => {
  for (const runtime of Object.keys(COMMANDS) as Runtime[]) servers.set(runtime, new Server(runtime));
  await Promise.all([...servers.values()].map((server) => server.started()));
});

afterAll(() => {
  for (const { child } of servers.values()) child.kill("SIGKILL");
});

const JSON_TYPE = { "content-type": "application/json" };
const BIG = "x".repeat(3 * 1024 * 1024);

interface Sent {
  /** An array is sent in as many lines. */
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
  /** Sends the body in chunks, without announcing its length. */
  readonly isChunked?: boolean;
}

/** Method, path, what is sent, the status that is expected. */
const REQUESTS: [string, string, Sent, number][] = [
  ["GET", "/healthz", {}, 200],
  ["GET", "/readyz", {}, 200],
  ["GET", "/v1/memories", { headers: { "x-agent-name": "Zo\u00c3\u00ab" } }, 200],
  ["GET", "/v1/memories", { headers: { "x-agent-name": "Zo\u00eb" } }, 422],
  ["GET", "/openapi.json", {}, 200],
  ["HEAD", "/v1/memories", {}, 200],
  ["HEAD", "/openapi.json", {}, 200],
  ["GET", "/v1/memories?limit=3&metadata.a=%C3%BC", {}, 200],
  ["GET", "/v1/memories", { headers: { "x-api-key": "wrong" } }, 401],
  [
    "POST",
    "/v1/remember",
    { headers: { "x-api-key": "wrong", "content-type": "text/plain" }, body: "{" },
    401,
  ],
  ["GET", "/nowhere", {}, 404],
  ["GET", "/v1/nowhere", { headers: { accept: "application/problem+json" } }, 404],
  ["PUT", "/v1/memories", {}, 405],
  ["OPTIONS", "/v1/memories", {}, 405],
  [
    "OPTIONS",
    "/v1/memories",
    { headers: { origin: "https://app.example", "access-control-request-method": "GET" } },
    204,
  ],
  ["GET", "/v1/memories", { headers: { origin: "https://app.example" } }, 200],
  ["TRACE", "/v1/memories", {}, 405],
  ["PROPFIND", "/v1/memories", {}, 405],
  ["DELETE", "/v1/memories/search", {}, 405],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: MEMORY }, 201],
  ["POST", "/v1/remember", { body: MEMORY }, 415],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: MEMORY, isChunked: true }, 201],
  ["POST", "/v1/memories/m/restore", {}, 200],
  ["POST", "/v1/memories/m/restore", { body: "unread" }, 200],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: BIG }, 413],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: BIG, isChunked: true }, 413],
  ["POST", "/v1/remember", { headers: { "content-type": "text/plain" }, body: MEMORY }, 415],
  [
    "POST",
    "/v1/remember",
    { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1" },
    415,
  ],
  ["POST", "/v1/remember", { headers: { "content-type": "application/octet-stream" }, body: MEMORY }, 415],
  ["POST", "/v1/remember", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 422],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: "{" }, 422],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: "[]" }, 422],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: "[".repeat(900_000) }, 422],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: new Uint8Array([0x22, 0xff, 0x22]) }, 422],
  ["POST", "/v1/remember", { headers: JSON_TYPE, body: '{"metadata":{"n":9007199254740993}}' }, 422],
  ["POST", "/v1/remember", { headers: { ...JSON_TYPE, "idempotency-key": "a b" }, body: MEMORY }, 422],
  [
    "PATCH",
    "/v1/memories/m",
    { headers: { ...JSON_TYPE, "if-match": ['"a"', 'W/"b", "c,d"'] }, body: "{}" },
    200,
  ],
  ["DELETE", "/v1/memories/m", { headers: { "if-match": ["*"] } }, 200],
  ["GET", "/v1/memories/%zz", {}, 422],
  ["GET", "/v1/memories/%00", {}, 422],
  ["GET", "/v1/memories?limit=%zz", {}, 422],
  ["GET", "/v1/memories", { headers: { "x-project-id": "a b" } }, 422],
  ["GET", "/v1/memories", { headers: { host: "a" } }, 403],
  ["GET", "/v1/memories/search?query=fault", {}, 500],
];

/** Headers that are part of what is promised. */
const HEADERS = [
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "allow",
  "cache-control",
  "content-length",
  "content-security-policy",
  "content-type",
  "cross-origin-resource-policy",
  "etag",
  "location",
  "retry-after",
  "vary",
  "www-authenticate",
  "x-content-type-options",
  "x-request-id",
];

function send(
  url: string,
  method: string,
  path: string,
  { headers = {}, body, isChunked }: Sent,
  agent: Agent | false = false,
): Promise<object> {
  return new Promise((resolve, reject) => {
    const length: Record<string, string> =
      body === undefined || isChunked ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const all = { "x-api-key": KEY, "x-request-id": "same", ...length, ...headers };
    const request = httpRequest(url + path, { method, headers: all, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const told = Object.fromEntries(HEADERS.map((name) => [name, response.headers[name]]));
        resolve({ status: response.statusCode, headers: told, body: Buffer.concat(chunks).toString() });
      });
    });
    request.on("error", reject);
    if (isChunked) request.setHeader("transfer-encoding", "chunked");
    request.end(body);
  });
}

test.each(REQUESTS)(
  "%s %s is answered the same on every runtime",
  async (method, path, sent, status) => {
    const answers: Record<string, object> = {};
    for (const [runtime, { url }] of servers) answers[runtime] = await send(url, method, path, sent);
    expect(answers.node).toMatchObject({ status, headers: { "x-request-id": "same" } });
    expect(answers.bun).toEqual(answers.node);
    expect(answers.deno).toEqual(answers.node);
  },
  30_000,
);

const LONG: [string, string, Sent, number][] = [
  ["a question of 17,000 characters", `/v1/recall?query=${"x".repeat(17_000)}`, {}, 200],
  [
    "a question of 2,000 Chinese characters",
    `/v1/recall?query=${encodeURIComponent("漢".repeat(2000))}`,
    {},
    200,
  ],
  ["a query string of 33,000 bytes", `/v1/recall?query=${"x".repeat(33_000)}`, {}, 413],
  ["a query string of 60,000 bytes", `/v1/memories?path=${"x".repeat(60_000)}`, {}, 413],
  ["an id of 30,000 characters", `/v1/memories/${"x".repeat(30_000)}`, {}, 422],
  ["a header of 30,000 characters", "/v1/memories", { headers: { "x-agent-id": "x".repeat(30_000) } }, 422],
  ["an address of 30,000 characters that is nowhere", `/${"x".repeat(30_000)}`, {}, 404],
];

test.each(LONG)(
  "%s is answered the same on every runtime, refusals with a code and an id",
  async (_, path, sent, status) => {
    const answers: Record<string, object> = {};
    for (const [runtime, { url }] of servers) answers[runtime] = await send(url, "GET", path, sent);
    expect(answers.node).toMatchObject({ status, headers: { "x-request-id": "same" } });
    const { body } = answers.node as { body: string };
    if (status >= 400) expect(JSON.parse(body)).toMatchObject({ code: expect.any(String) });
    expect(answers.bun).toEqual(answers.node);
    expect(answers.deno).toEqual(answers.node);
  },
  30_000,
);

test("an integer behind a string of nearly a megabyte is seen on every runtime", async () => {
  const long = `${"a".repeat(400_000)}${'\\\\\\"'.repeat(100_000)}`;
  const body = `{"content":"a","path":"p","metadata":{"long":"${long}","n":9007199254740993}}`;
  for (const { url } of servers.values()) {
    const answer = await send(url, "POST", "/v1/remember", { headers: JSON_TYPE, body });
    expect(answer).toMatchObject({ status: 422, body: expect.stringContaining('["body","metadata","n"]') });
  }
});

test("Node answers a head that is too large to be read with a code and an id as well", async () => {
  const { url } = servers.get("node") as Server;
  for (const length of [140_000, 2_000_000]) {
    const { status, headers, body } = (await send(url, "GET", `/?${"x".repeat(length)}`, {})) as {
      status: number;
      headers: Record<string, string>;
      body: string;
    };
    expect([status, headers["x-request-id"], JSON.parse(body).code]).toEqual([
      413,
      "unread",
      "payload_too_large",
    ]);
  }
  const broken = await sendRaw(url, {
    method: "G T",
    target: "/",
    headers: [],
    body: new Uint8Array(),
    isBroken: false,
  });
  expect(broken).toEqual({ status: 400, text: "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" });
});

/** What comes back for a head and a body as they are written, on a connection of its own. */
function exchange(url: string, head: string, body = ""): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
      // A server waits for the rest of a body that was announced.
      if (isComplete(text)) socket.destroy();
    });
    socket.once("error", () => resolve(text)).once("close", () => resolve(text));
    socket.write(Buffer.from(`${head}X-API-Key: ${KEY}\r\nConnection: close\r\n\r\n${body}`, "latin1"));
  });
}

function isComplete(text: string): boolean {
  const [, length, body = ""] = /\ncontent-length: (\d+)\r\n(?:[^\r]*\r\n)*?\r\n(.*)/is.exec(text) ?? [];
  return length !== undefined && body.length >= Number(length);
}

const GET = "GET /v1/memories HTTP/1.1\r\n";
const HOSTS: [string, string, number, Runtime[]?][] = [
  ["with a space", `${GET}Host: a b\r\n`, 400],
  ["that is empty", `${GET}Host:\r\n`, 400],
  ["that is white space", `${GET}Host:   \r\n`, 400],
  ["with a user", `${GET}Host: evil.example@localhost\r\n`, 400],
  ["with a user of this name", `${GET}Host: localhost@evil.example\r\n`, 400],
  ["with a path", `${GET}Host: localhost/x?y#z\r\n`, 400],
  ["that is not ASCII", `${GET}Host: caf\u00e9.example\r\n`, 400],
  ["with a port that is none", `${GET}Host: localhost:abc\r\n`, 400],
  ["with a port beyond all", `${GET}Host: localhost:99999\r\n`, 400],
  ["with half a bracket", `${GET}Host: [::1\r\n`, 400],
  ["that is IPv6 without brackets", `${GET}Host: ::1\r\n`, 400],
  ["of percent signs", `${GET}Host: %zz\r\n`, 400],
  ["of markup", `${GET}Host: <script>\r\n`, 400],
  ["that is a list", `${GET}Host: localhost, evil.example\r\n`, 400],
  ["that is a dot", `${GET}Host: .\r\n`, 400],
  ["that is missing in HTTP/1.0", "GET /v1/memories HTTP/1.0\r\n", 400],
  ["that is missing", GET, 400, ["deno", "node"]],
  ["that comes twice", `${GET}Host: localhost\r\nHost: evil.example\r\n`, 400, ["bun", "node"]],
  ["that comes twice, ours last", `${GET}Host: evil.example\r\nHost: localhost\r\n`, 400, ["bun", "node"]],
  ["of another site", `${GET}Host: evil.example\r\n`, 403],
  ["of another site, ours forwarded", `${GET}Host: evil.example\r\nX-Forwarded-Host: localhost\r\n`, 403],
  [
    "of this site, and a target of another",
    "GET http://evil.example/v1/memories HTTP/1.1\r\nHost: localhost\r\n",
    400,
    ["deno", "node"],
  ],
  [
    "of another site, and a target of this one",
    "GET http://localhost/v1/memories HTTP/1.1\r\nHost: evil.example\r\n",
    400,
    ["deno", "node"],
  ],
  [
    "of this site, and a target of it",
    "GET http://localhost/v1/memories HTTP/1.1\r\nHost: localhost\r\n",
    200,
  ],
  ["of this site in capitals", `${GET}Host: LOCALHOST:80\r\n`, 200],
  ["with an empty port", `${GET}Host: localhost:\r\n`, 400],
  ["that is an address", `${GET}Host: [::1]:8787\r\n`, 200],
  [
    "of a connection to elsewhere",
    "OPTIONS http://evil.example:443/ HTTP/1.1\r\nHost: evil.example:443\r\n",
    403,
  ],
];

test.each(HOSTS)(
  "a host %s is answered by the service itself, and the same on every runtime",
  async (_, head, status, only = ["bun", "deno", "node"]) => {
    for (const runtime of only) {
      const { url } = servers.get(runtime) as Server;
      const answer = await exchange(url, head);
      expect([runtime, /^HTTP\/1\.[01] (\d+)/.exec(answer)?.[1], answer]).toEqual([
        runtime,
        String(status),
        expect.stringMatching(/x-request-id: /i),
      ]);
      expect(answer).toMatch(/x-content-type-options: nosniff/i);
      if (status === 400) expect(answer).toContain('"code":"malformed_host"');
      if (status === 403) expect(answer).toContain('"code":"host_not_allowed"');
    }
  },
  30_000,
);

test.each([
  ["a host that is missing", GET, "bun"],
  ["two hosts", `${GET}Host: localhost\r\nHost: evil.example\r\n`, "deno"],
  ["a null byte in a host", `${GET}Host: a\u0000b\r\n`, "bun"],
  ["a null byte in a host", `${GET}Host: a\u0000b\r\n`, "deno"],
  ["a null byte in a host", `${GET}Host: a\u0000b\r\n`, "node"],
  ["a target that is no URL", "GET http://[::1/v1/memories HTTP/1.1\r\nHost: localhost\r\n", "node"],
  ["a target without a slash", "GET v1/memories HTTP/1.1\r\nHost: localhost\r\n", "deno"],
] as [string, string, Runtime][])("%s is refused by the runtime itself", async (_, head, runtime) => {
  expect(await exchange((servers.get(runtime) as Server).url, head)).toMatch(/^HTTP\/1\.1 400 /);
});

/** The one answer, after any 100, to a request that is sent as it is written to every runtime. */
async function sameAnswer(method: string, target: string, lines: readonly string[] = [], body = "") {
  const head = [`${method} ${target} HTTP/1.1`, "Host: localhost", "X-Request-Id: same", ...lines, ""];
  const texts = [...servers.values()].map(({ url }) => exchange(url, head.join("\r\n"), body));
  const [first, ...others] = (await Promise.all(texts)).map(answerIn);
  for (const other of others) expect(other).toEqual(first);
  return first as Answer;
}

interface Answer {
  readonly status: number;
  readonly headers: object;
  readonly body: string;
}

function answerIn(text: string): Answer {
  const [head = "", ...body] = text.replace("HTTP/1.1 100 Continue\r\n\r\n", "").split("\r\n\r\n");
  const [status = "", ...lines] = head.split("\r\n");
  const told = new Map(
    lines.map((line) => [line.split(":", 1)[0]?.toLowerCase(), line.replace(/^[^:]*: */, "")]),
  );
  const headers = HEADERS.flatMap((name) => (told.has(name) ? [[name, told.get(name)]] : []));
  return {
    status: Number(status.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: body.join("\r\n\r\n"),
  };
}

test.each(ADDRESSES)(
  "%s %s is one address on every runtime",
  async (method, target, status, members = {}) => {
    const answer = await sameAnswer(method, target);
    expect(answer.status).toBe(status);
    if (method !== "HEAD") expect(JSON.parse(answer.body)).toMatchObject(members);
  },
);

test(`random addresses are one address on every runtime (seed ${SEED})`, { timeout: 120_000 }, async () => {
  const methods = fc.constantFrom("GET", "HEAD", "OPTIONS", "DELETE");
  await fc.assert(
    fc.asyncProperty(methods, addresses, async (method, target) => {
      await sameAnswer(method, target);
    }),
    { seed: SEED, numRuns: runs(400) },
  );
});

test.each(TYPES)("a body behind %j is read as JSON, or not, on every runtime: %s", async (type, isJson) => {
  const lines = type === "" ? [] : [type];
  const ways: [string, string, string, number][] = [
    ["POST", "/v1/remember", MEMORY, isJson ? 201 : 415],
    ["POST", "/v1/remember", "", 422],
    ["POST", "/v1/remember", "--xx--", isJson ? 422 : 415],
    ["POST", "/v1/memories/m/restore", MEMORY, 200],
    ["GET", "/v1/memories", MEMORY, 200],
    // What is to be deleted is asked for by these members alone, so that a body that is read is refused.
    ["DELETE", "/v1/memories/m", MEMORY, isJson ? 422 : 200],
  ];
  for (const [method, target, body, status] of ways) {
    const answer = await sameAnswer(method, target, [...lines, `Content-Length: ${body.length}`], body);
    expect([method, target, body, answer.status]).toEqual([method, target, body, status]);
  }
});

test.each(HEADS)(
  "%s: %s %s is answered the same on every runtime",
  async (_, method, target, lines, body, status) => {
    expect((await sameAnswer(method, target, lines, body)).status).toBe(status);
  },
);

describe.each(Object.keys(COMMANDS) as Runtime[])("on %s", (runtime) => {
  const server = () => servers.get(runtime) as Server;

  test("several lines of If-Match arrive as the one list that they are", async () => {
    const headers = { ...JSON_TYPE, "if-match": ['"a"', 'W/"b", "c,d"'] };
    const answer = await send(server().url, "PATCH", "/v1/memories/m", { headers, body: "{}" });
    expect(JSON.parse((answer as { body: string }).body).input.if_match).toBe('"a", W/"b", "c,d"');
  });

  test("a request has the address of its socket", async () => {
    const response = await fetch(`${server().url}/v1/agents/register`, {
      method: "POST",
      headers: { ...JSON_TYPE, "x-forwarded-for": "192.0.2.1" },
      body: '{"entry_type":"cli","client_name":"c","installation_fingerprint":"f"}',
    });
    expect(await response.json()).toMatchObject({ name: "registerAgent", address: "127.0.0.1" });
  });

  test.each([
    ["in chunks", { headers: JSON_TYPE, isChunked: true }, 413],
    ["of an announced length", { headers: JSON_TYPE }, 413],
    ["with a wrong key", { headers: { ...JSON_TYPE, "x-api-key": "wrong" }, isChunked: true }, 401],
  ])(
    "a body that is too large, sent %s, leaves its connection to the next request",
    async (_, sent, status) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const tooLarge = { ...sent, body: "x".repeat(16 * 1024 * 1024) };
      const small = { headers: JSON_TYPE, body: MEMORY };
      expect(await send(server().url, "POST", "/v1/remember", tooLarge, agent)).toMatchObject({ status });
      expect(await send(server().url, "POST", "/v1/remember", small, agent)).toMatchObject({ status: 201 });
      agent.destroy();
    },
    20_000,
  );

  test("a taken port is told in one sentence", async () => {
    const port = Number(new URL(server().url).port);
    const complaint = await new Server(runtime, port).complaint();
    expect(complaint).toContain(
      `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set another, such as PORT=${port + 1}.`,
    );
  });

  test("a client that goes away leaves no error; what runs is finished at the end", async () => {
    const { url, child } = server();
    const port = Number(new URL(url).port);
    const head = `POST /v1/remember HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\n`;
    for (const rest of ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{", ""]) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.write(head + rest);
      // Once an answer to a later request is there, the server has met this one too.
      await fetch(`${url}/healthz`).then((response) => response.text());
      socket.destroy();
    }
    const abort = new AbortController();
    const abandoned = fetch(`${url}/v1/memories/search?query=slow`, {
      headers: { "x-api-key": KEY },
      signal: abort.signal,
    });
    expect(await server().says()).toEqual({ running: "searchMemories" });
    abort.abort();
    await expect(abandoned).rejects.toThrow();
    let complaints = "";
    child.stderr?.on("data", (chunk) => {
      complaints += chunk;
    });
    const slow = fetch(`${url}/v1/memories/search?query=slow`, { headers: { "x-api-key": KEY } });
    expect(await server().says()).toEqual({ running: "searchMemories" });
    child.kill("SIGTERM");
    expect((await slow).status).toBe(200);
    // One fault: the request of the list above that asks for one.
    expect(await server().says()).toEqual({ closed: true, faults: 1 });
    if (child.exitCode === null) await once(child, "exit");
    expect([child.exitCode, complaints]).toEqual([0, ""]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
