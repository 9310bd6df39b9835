/** What pages of other sites can do to this service through the browser of somebody who uses it: nothing. */
import { createServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/adapters/runtime/listen.ts";
import { everyPath } from "../support/doors.ts";
import { freePort } from "../support/free-port.ts";
import { eventually } from "../support/processes.ts";
import { rotating } from "../support/random.ts";
import { rowsOf } from "../support/rows.ts";
import { openWorld, type World } from "../support/world.ts";
import { launchChromium, profile } from "./support/chromium.ts";
import { setUp } from "./support/signing-in.ts";

const EVIL = "evil.test";
const MEMORY = "memory.test";
const REBOUND = "rebound.test";
const FLAGS = [
  `--host-resolver-rules=MAP ${EVIL} 127.0.0.1, MAP ${MEMORY} 127.0.0.1, MAP ${REBOUND} 127.0.0.1`,
  // What a browser of today asks a person about, an older one lets pass.
  "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
];

/** A request that reached the service. */
interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
}

interface Attacked {
  readonly world: World;
  readonly url: string;
  /** Those that are attacked in this run. */
  readonly paths: readonly string[];
  readonly arrived: Arrived[];
}

/** A service at an address of that name, which a person's browser reaches. */
async function attacked(hostname: string, env: Record<string, string> = {}): Promise<Attacked> {
  const port = await freePort();
  const url = `http://${hostname}:${port}`;
  const world = await openWorld({ PUBLIC_URL: url, ...env });
  const arrived: Arrived[] = [];
  const listener = await listen({
    host: "127.0.0.1",
    port,
    async fetch(request) {
      const { method, headers } = request;
      const answer = await world.handle(request);
      const path = new URL(request.url).pathname;
      arrived.push({ method, path, status: answer.status, headers: new Headers(headers) });
      return answer;
    },
  });
  onTestFinished(async () => {
    await listener.close();
    await world.close();
  });
  // The first who asks for them has keys made, whoever it is.
  await fetch(`http://127.0.0.1:${port}/oauth2/jwks`);
  return { world, url, arrived, paths: rotating(everyPath(world)) };
}

/** The site of somebody who means harm: an empty page at every path. */
async function site(): Promise<{ server: HttpServer; port: number }> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html").setHeader("connection", "close").end("<!doctype html>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function browserPage(): Promise<Page> {
  const browser = await launchChromium(FLAGS);
  onTestFinished(() => browser.close());
  return (await profile(browser)).newPage();
}

/** Runs in the page: every way in which a page sends a request to another origin. Answers what it could read. */
async function attack({ target, paths }: { target: string; paths: readonly string[] }): Promise<string[]> {
  const agent = '{"entry_type":"cli","client_name":"c","installation_fingerprint":"f"}';
  const client = '{"redirect_uris":["https://evil.example/cb"],"client_name":"c"}';
  const form = {
    email: "a@example.com",
    password: "x",
    form_token: "x",
    code: "x",
    token: "x",
    client_id: "x",
  };
  const read: string[] = [];
  const settled = (element: HTMLElement) =>
    new Promise<void>((resolve) => {
      element.onload = () => resolve();
      element.onerror = () => resolve();
      setTimeout(resolve, 3000);
      document.body.append(element);
    }).then(() => element.remove());
  const tried = async (how: string, work: () => Promise<Response>) => {
    try {
      const answer = await work();
      if (answer.type !== "opaque")
        read.push(`${how}: ${answer.status} ${(await answer.text()).slice(0, 100)}`);
    } catch {
      // The browser did not let the page read it.
    }
  };
  const loaded = (name: string, members: object) =>
    settled(Object.assign(document.createElement(name), members));
  const sentForm = async (action: string, enctype: string, members: Record<string, string>) => {
    const frame = Object.assign(document.createElement("iframe"), { name: `f${Math.random()}` });
    const element = Object.assign(document.createElement("form"), { action, enctype, method: "post" });
    element.target = frame.name;
    for (const [name, value] of Object.entries(members))
      element.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    document.body.append(element);
    const done = settled(frame);
    element.submit();
    await done;
    element.remove();
  };
  const opened = (socket: WebSocket | EventSource) =>
    new Promise<void>((resolve) => {
      socket.onopen = () => {
        read.push(`opened ${socket.url}`);
        resolve();
      };
      socket.onerror = () => resolve();
      setTimeout(resolve, 3000);
    }).then(() => socket.close());

  const attackAt = async (path: string) => {
    const url = target + path;
    const json = path.includes("oauth2") ? client : agent;
    const key = { "x-api-key": "x", "content-type": "application/json" };
    const half = json.slice(0, -1);
    const post = { method: "POST", credentials: "include" } as const;
    await Promise.all([
      tried(`GET ${path}`, () => fetch(url, { credentials: "include" })),
      tried(`HEAD ${path}`, () => fetch(url, { method: "HEAD" })),
      tried(`GET ${path} with a key`, () => fetch(url, { headers: key })),
      tried(`POST ${path} as text`, () => fetch(url, { ...post, body: json })),
      tried(`POST ${path} as a form`, () => fetch(url, { ...post, body: new URLSearchParams(form) })),
      tried(`POST ${path} of no type`, () => fetch(url, { ...post, body: new Blob([json]) })),
      tried(`POST ${path} as JSON`, () => fetch(url, { ...post, body: json, headers: key })),
      tried(`DELETE ${path}`, () => fetch(url, { method: "DELETE" })),
      tried(`GET ${path} unread`, () => fetch(url, { mode: "no-cors", credentials: "include" })),
      tried(`POST ${path} as text unread`, () => fetch(url, { ...post, mode: "no-cors", body: json })),
      tried(`POST ${path} of no type unread`, () =>
        fetch(url, { ...post, mode: "no-cors", body: new Blob([json]), keepalive: true }),
      ),
      tried(`POST ${path} as a form unread`, () =>
        fetch(url, { ...post, mode: "no-cors", body: new URLSearchParams(form) }),
      ),
    ]);
    for (const body of [json, new Blob([json]), new URLSearchParams(form), new FormData()])
      navigator.sendBeacon(url, body);
    await Promise.all([
      loaded("img", { src: url }),
      loaded("script", { src: url }),
      loaded("link", { rel: "stylesheet", href: url }),
      loaded("iframe", { src: url }),
      loaded("object", { data: url }),
      sentForm(url, "text/plain", { [`${half},"x":"`]: '"}' }),
      sentForm(url, "application/x-www-form-urlencoded", form),
      sentForm(url, "multipart/form-data", form),
      opened(new WebSocket(url.replace(/^http/, "ws"))),
      opened(new EventSource(url, { withCredentials: true })),
    ]);
  };
  for (let at = 0; at < paths.length; at += 8) await Promise.all(paths.slice(at, at + 8).map(attackAt));
  return read;
}

/** Signed in, with all that a session has: its token is made for the first thing that its page asks. */
async function signedIn(page: Page, world: World, url: string): Promise<void> {
  await setUp(page, { world, url, close: async () => {} });
  const asked = page.waitForResponse((response) => response.url().includes("/trpc/"));
  await page.goto(`${url}/admin`);
  await (await asked).finished();
  await page.goto(`${url}/account`);
}

test.each([
  ["127.0.0.1", "to which the browser says where a request comes from"],
  [MEMORY, "on a local network without TLS, to which the browser says less"],
])(
  "a page of another site reads nothing from a service at %s and has nothing written, %s",
  async (hostname) => {
    const { world, url, paths, arrived } = await attacked(hostname);
    const { port } = await site();
    const page = await browserPage();
    await signedIn(page, world, url);
    const before = await rowsOf(world.service.sql);
    arrived.length = 0;
    await page.goto(`http://${EVIL}:${port}/`);
    expect(await page.evaluate(attack, { target: url, paths })).toEqual([]);
    expect(await rowsOf(world.service.sql)).toEqual(before);
    for (const path of paths) {
      const here = arrived.filter((request) => request.path === path);
      expect([path, here.some(({ method }) => method === "POST")]).toEqual([path, true]);
      expect([path, here.some(({ method }) => method === "GET")]).toEqual([path, true]);
    }
    // What the browser still fetches for the service's own page, such as its icon, it says itself; without TLS by the origin.
    const foreign = arrived.filter(
      ({ headers }) => headers.get("sec-fetch-site") !== "same-origin" && headers.get("origin") !== url,
    );
    // Whatever says that it comes from elsewhere is refused before anything is done for it.
    const says = ({ headers }: Arrived) => headers.has("origin") || headers.has("sec-fetch-site");
    const letIn = foreign.filter(
      (request) => request.method !== "OPTIONS" && says(request) && request.status !== 403,
    );
    expect(letIn.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([]);
    if (hostname === "127.0.0.1") expect(foreign.filter((request) => !says(request))).toEqual([]);
  },
  600_000,
);

test("a form of another site that takes the whole window with it has nothing written", async () => {
  const { world, url, paths } = await attacked("127.0.0.1");
  const { port } = await site();
  const page = await browserPage();
  await signedIn(page, world, url);
  const before = await rowsOf(world.service.sql);
  for (const path of paths) {
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded"]) {
      await page.goto(`http://${EVIL}:${port}/`);
      await page.evaluate(
        ([action, type]) => {
          const form = Object.assign(document.createElement("form"), {
            method: "post",
            enctype: type,
            action,
          });
          const name = '{"entry_type":"cli","client_name":"c","installation_fingerprint":"f","x":"';
          form.append(Object.assign(document.createElement("input"), { name, value: '"}' }));
          document.body.append(form);
          form.submit();
        },
        [url + path, enctype],
      );
      await page.waitForURL(url + path);
    }
  }
  expect(await rowsOf(world.service.sql)).toEqual(before);
}, 600_000);

test("a page whose name is made to lead to the service is refused at every door", async () => {
  const { world, url, paths, arrived } = await attacked("127.0.0.1");
  const { port } = await site();
  let leadsTo = port;
  // The name stays the same, and so does the port: where it leads changes, as with a name server of the attacker's.
  const resolver = createTcpServer((socket) => {
    const onward = connect(leadsTo, "127.0.0.1");
    for (const end of [socket, onward]) end.on("error", () => [socket, onward].map((each) => each.destroy()));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => resolver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void resolver.close());
  const page = await browserPage();
  await page.goto(`http://${REBOUND}:${(resolver.address() as AddressInfo).port}/`);
  leadsTo = Number(new URL(url).port);
  const before = await rowsOf(world.service.sql);
  arrived.length = 0;
  const read = await page.evaluate(async (asked) => {
    const answers: [string, number, string][] = [];
    const agent = '{"entry_type":"cli","client_name":"c","installation_fingerprint":"f"}';
    const client = '{"redirect_uris":["https://evil.example/cb"],"client_name":"c"}';
    for (const path of asked) {
      const body = path.includes("oauth2") ? client : agent;
      const headers = { "content-type": "application/json" };
      for (const init of [{}, { method: "POST", body, headers }, { method: "DELETE" }]) {
        const answer = await fetch(path, init);
        answers.push([path, answer.status, await answer.text()]);
      }
    }
    return answers;
  }, paths);
  expect(read).toHaveLength(paths.length * 3);
  const informative = read.filter(([, status, text]) => status !== 403 || !text.includes("ALLOWED_HOSTS"));
  expect(informative).toEqual([]);
  expect(arrived.length).toBeGreaterThanOrEqual(read.length);
  expect(await rowsOf(world.service.sql)).toEqual(before);
}, 120_000);

test("a page of an origin that may call the service does, by REST and by MCP", async () => {
  const { port } = await site();
  const origin = `http://${EVIL}:${port}`;
  const { world, url } = await attacked("127.0.0.1", { CORS_ORIGINS: origin });
  const { token } = await world.client();
  const page = await browserPage();
  await page.goto(origin);
  const done = await page.evaluate(
    async ([target, key]) => {
      const send = async (path: string, body: object, headers: Record<string, string>) => {
        const answer = await fetch(target + path, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        });
        return [answer.status, await answer.text()] as const;
      };
      const remembered = await send(
        "/v1/remember",
        { content: "From a page", path: "p" },
        { "x-api-key": key },
      );
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
      const listed = await send("/mcp", message, {
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        "mcp-param-of-a-tool": "x",
      });
      const unknown = await fetch(`${target}/mcp`, { method: "POST" });
      const metadata = await fetch(`${target}/.well-known/oauth-protected-resource/mcp`);
      return {
        remembered,
        listed,
        challenge: unknown.headers.get("www-authenticate"),
        metadata: (await metadata.json()) as { resource: string },
      };
    },
    [url, token] as const,
  );
  expect(done.remembered[0]).toBe(201);
  expect(done.listed).toEqual([200, expect.stringContaining("recall_context")]);
  expect(done.challenge).toContain("resource_metadata");
  expect(done.metadata.resource).toBe(`${url}/mcp`);
}, 120_000);

test("a person whom another site sends to the pages arrives there", async () => {
  const { world, url, arrived } = await attacked("127.0.0.1");
  const { port } = await site();
  const page = await browserPage();
  await setUp(page, { world, url, close: async () => {} });
  await page.goto(`http://${EVIL}:${port}/`);
  arrived.length = 0;
  await page.evaluate((address) => {
    const link = Object.assign(document.createElement("a"), { href: address });
    document.body.append(link);
    link.click();
  }, `${url}/account`);
  await page.waitForURL(`${url}/account`);
  // What the page before had under way may arrive as well.
  const isVisit = ({ headers }: (typeof arrived)[number]) => headers.get("sec-fetch-mode") === "navigate";
  const visit = await eventually("the visit", () => arrived.find(isVisit));
  expect([visit.status, visit.headers.get("sec-fetch-site")]).toEqual([200, "cross-site"]);
}, 120_000);
