/** What every answer of the pages has in common. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { invitation, newPerson, registered } from "./support/people.ts";
import { createVisitor, type Page, type Visitor } from "./support/visitor.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

const visitor = () => createVisitor("http://localhost", world.handle);

const GETS = [
  "/sign-in",
  "/setup",
  "/bind",
  "/oauth/consent",
  "/oauth/error",
  "/account",
  "/account/teams/leave",
];
const POSTS = [
  "/sign-in",
  "/sign-out",
  "/setup",
  "/bind",
  "/bind/approve",
  "/bind/review",
  "/bind/deny",
  "/oauth/consent",
  "/account/agents/revoke",
  "/account/apps/revoke",
  "/account/teams/accept",
  "/account/teams/decline",
  "/account/teams/leave",
];

/** One answer of every kind: pages, refusals, redirects, for strangers and for somebody signed in. */
async function everyAnswer(person: Visitor): Promise<Map<string, Page>> {
  const answers = new Map<string, Page>();
  const agent = await registered(world.handle);
  const { secret } = await invitation(world);
  const pages = [
    ...GETS,
    `/setup?code=${secret}`,
    "/setup",
    `/bind?code=${agent.claim_code}`,
    "/bind",
    "/bind?code=",
    "/bind?code=nothing",
    "/oauth/consent?x=y",
  ];
  for (const who of [visitor(), person]) {
    const name = who === person ? "signed in" : "stranger";
    for (const path of pages) answers.set(`${name}: GET ${path}`, await who.get(path));
    for (const path of POSTS) {
      answers.set(
        `${name}: POST ${path}, foreign`,
        await who.post(path, {}, { headers: { origin: "https://evil.example" } }),
      );
      answers.set(`${name}: POST ${path}, stale`, await who.post(path, {}));
      answers.set(`${name}: DELETE ${path}`, await who.send("DELETE", path));
    }
  }
  answers.set(
    "approval without scopes",
    await person.submit("/account", "/bind/approve", { code: agent.claim_code }),
  );
  answers.set(
    "approval",
    await person.submit("/account", "/bind/approve", { code: agent.claim_code, scope: "memory:read" }),
  );
  answers.set("denial", await person.submit("/account", "/bind/deny", { code: agent.claim_code }));
  answers.set("denial again", await person.submit("/account", "/bind/deny", { code: agent.claim_code }));
  answers.set(
    "revocation of nothing",
    await person.submit("/account", "/account/agents/revoke", { id: "x" }),
  );
  answers.set("sign-out", await person.submit("/account", "/sign-out", {}));
  return answers;
}

test("nothing is kept, framed, loaded from elsewhere, run or told to others by any answer", async () => {
  const person = visitor();
  await newPerson(world, person);
  const answers = await everyAnswer(person);
  expect(answers.size).toBeGreaterThan(80);
  for (const [name, { headers, status, html }] of answers) {
    const policy = headers.get("content-security-policy") ?? "";
    expect({
      name,
      ...Object.fromEntries(
        ["cache-control", "referrer-policy", "x-frame-options", "x-content-type-options"].map((header) => [
          header,
          headers.get(header),
        ]),
      ),
    }).toEqual({
      name,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
    });
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    if (status === 303) {
      expect(headers.get("location")).toMatch(/^\/[a-z]/);
      continue;
    }
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html).toMatch(/<html lang="en">[\s\S]*<title>[^<]+ · Recollect<\/title>[\s\S]*<h1>/);
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\son[a-z]+=|\sstyle=|https?:\/\//i);
  }
});

test("cookies of the pages are out of reach of scripts and of other sites' forms", async () => {
  const page = await visitor().get("/bind?code=abc");
  const cookies = page.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split("=")[0]).sort()).toEqual(["recollect_claim", "recollect_form"]);
  for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax(; Max-Age=900)?$/);
});

test("HEAD is GET without the page", async () => {
  for (const path of GETS) {
    const [got, head] = [await visitor().get(path), await visitor().send("HEAD", path)];
    expect([path, head.status, head.location, head.html]).toEqual([path, got.status, got.location, ""]);
    expect(head.headers.get("content-length")).toBe(got.headers.get("content-length"));
  }
});

test("another method is refused and told which there are", async () => {
  for (const path of new Set([...GETS, ...POSTS])) {
    const allow = [
      ...(GETS.includes(path) ? ["GET", "HEAD"] : []),
      ...(POSTS.includes(path) ? ["POST"] : []),
    ].join(", ");
    for (const method of [
      "PUT",
      "DELETE",
      "PATCH",
      "OPTIONS",
      ...(GETS.includes(path) ? [] : ["GET", "HEAD"]),
    ]) {
      const answer = await visitor().send(method, path);
      expect([path, method, answer.status, answer.headers.get("allow")]).toEqual([path, method, 405, allow]);
    }
  }
});

test("a browser that was led here under another name is refused", async () => {
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"]) {
    const answer = await visitor().send("GET", "/sign-in", { headers: { host } });
    expect([host, answer.status, answer.headers.getSetCookie()]).toEqual([host, 403, []]);
  }
  for (const host of ["localhost:1", "127.0.0.1:8787", "[::1]:8787"]) {
    expect((await visitor().send("GET", "/sign-in", { headers: { host } })).status).toBe(200);
  }
});

test("the code of a link leaves the address at once, and another can be typed", async () => {
  const person = visitor();
  await newPerson(world, person);
  const { claim_code } = await registered(world.handle);
  const first = await person.get(`/bind?code=${claim_code}`);
  expect([first.status, first.location, first.html]).toEqual([303, "/bind", ""]);
  const page = await person.get("/bind");
  expect([page.status, page.formToken !== ""]).toEqual([200, true]);
  const typed = await person.submit("/account", "/bind", { code: claim_code.toLowerCase() });
  expect(typed.location).toBe("/bind");
  expect((await person.get("/bind")).html).toContain("An agent asks to use your memory");
  await person.get("/bind?code=");
  expect((await person.get("/bind")).html).toContain("Connect an agent");
});
