/** What of a visit is logged, and what a person sees when something breaks. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnavailable } from "../../src/adapters/postgres/database/failure.ts";
import { secret } from "../../src/adapters/postgres/database/service-secret.ts";
import { sessionPortsOf } from "../../src/compose/app.ts";
import { createApplication } from "../../src/core/application.ts";
import type { RequestLine } from "../../src/surfaces/http/request-line.ts";
import { createBrowserSurface } from "../../src/surfaces/pages/browser-surface.ts";
import type { BrowserDependencies } from "../../src/surfaces/pages/visit.ts";
import { openWorld, type World } from "../support/world.ts";
import { invitation, PASSWORD, registered } from "./support/people.ts";
import { createVisitor } from "./support/visitor.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

/** The pages on the world's service, with their log within reach. */
function surface(broken: Partial<BrowserDependencies> = {}) {
  const { accounts, oauth, agentClaims, teams, ports, share, sql } = world.service;
  const lines: RequestLine[] = [];
  const pages = createBrowserSurface({
    accounts,
    oauth,
    claims: agentClaims,
    teams,
    application: createApplication({ ...ports, ...sessionPortsOf(world.service, null) }),
    hash: ports.hash,
    publicUrl: "http://localhost",
    allowedHosts: [],
    share,
    trustedProxies: [],
    formKey: () => secret(sql, "browser_forms"),
    clock: ports.clock,
    newId: ports.newId,
    log: (line) => lines.push(line),
    isUnavailable,
    ...broken,
  });
  return { lines, visitor: createVisitor("http://localhost", (request) => pages.handle(request)) };
}

test("no code, token, password, address or query is in the log, whatever becomes of the request", async () => {
  const { lines, visitor } = surface();
  const { secret: setupCode } = await invitation(world);
  const agent = await registered(world.handle);
  const email = "somebody-in-particular@example.com";
  await visitor.get(`/setup?code=${setupCode}`);
  await visitor.submit("/setup", "/setup", { code: setupCode, email, password: PASSWORD });
  const { formToken } = await visitor.get("/account");
  await visitor.get(`/bind?code=${agent.claim_code}`);
  const approved = await visitor.submit("/bind", "/bind/approve", {
    code: agent.claim_code,
    scope: "memory:read",
  });
  const token = /class="token"[^>]*value="([^"]+)"/.exec(approved.html)?.[1] ?? "";
  expect(token).not.toBe("");
  await visitor.get("/oauth/consent?client_id=secret-client");
  await visitor.post("/sign-out", { form_token: formToken });
  await visitor.submit("/sign-in", "/sign-in", { email, password: "the wrong one, typed" });
  await visitor.get("/sign-in?next=/elsewhere");
  const log = JSON.stringify(lines);
  const private_ = [
    setupCode,
    agent.claim_code,
    agent.agent_id,
    agent.temporary_token,
    token,
    formToken,
    email,
  ];
  for (const text of [...private_, PASSWORD, "the wrong one", "secret-client", "elsewhere", "?"])
    expect(log).not.toContain(text);
  expect(lines.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    "GET /setup 303",
    "GET /setup 200",
    "POST /setup 303",
    "GET /account 200",
    "GET /bind 303",
    "GET /bind 200",
    "POST /bind/approve 200",
    "GET /oauth/consent 404",
    "POST /sign-out 303",
    "GET /sign-in 200",
    "POST /sign-in 422",
    "GET /sign-in 200",
  ]);
});

test.each([
  ["a fault of ours", Object.assign(new Error("select secrets"), { code: "XX000" }), 500, "internal"],
  [
    "a database that is away",
    Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    503,
    "dependency_unavailable",
  ],
])("%s is a page that shows nothing of it, and a fault in the log", async (_, error, status, code) => {
  const broken = { ...world.service.accounts, signedIn: () => Promise.reject(error) };
  const { lines, visitor } = surface({ accounts: broken });
  const page = await visitor.get("/account");
  expect([page.status, page.headers.get("retry-after") !== null]).toEqual([status, status === 503]);
  expect(page.html).not.toContain(error.message);
  expect(page.html).toContain(page.headers.get("x-request-id"));
  expect(lines).toMatchObject([
    { route: "/account", status, code, fault: { name: "Error", code: error.code } },
  ]);
  expect(JSON.stringify(lines)).not.toContain("select secrets");
});

test("a key that cannot be had now is asked for again", async () => {
  let asked = 0;
  const { visitor } = surface({
    formKey: async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
      return new Uint8Array(32);
    },
  });
  const statuses = [];
  for (let visits = 0; visits < 3; visits += 1) statuses.push((await visitor.get("/sign-in")).status);
  expect([statuses, asked]).toEqual([[503, 200, 200], 2]);
});
