/** What a form must carry to be taken: where it came from, and whose it is. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { newPerson, PASSWORD, registered } from "./support/people.ts";
import { createVisitor, SAME_ORIGIN, type Visitor } from "./support/visitor.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

const visitor = () => createVisitor("http://localhost", (request) => world.handle(request));

/** Every form there is, sent by somebody who is signed in, and what it is answered with when it is taken. */
async function forms(person: Visitor) {
  const agent = await registered(world.handle);
  const code = agent.claim_code;
  return [
    { path: "/bind", fields: { code } },
    { path: "/bind/approve", fields: { code, scope: "memory:read" } },
    { path: "/bind/review", fields: { code, scope: "memory:read" } },
    { path: "/bind/deny", fields: { code } },
    { path: "/oauth/consent", fields: { query: "client_id=x", decision: "allow" } },
    { path: "/account/agents/revoke", fields: { id: agent.agent_id } },
    { path: "/account/apps/revoke", fields: { id: "none" } },
    { path: "/account/teams/accept", fields: { team: agent.agent_id } },
    { path: "/account/teams/decline", fields: { team: agent.agent_id } },
    { path: "/account/teams/leave", fields: { team: agent.agent_id } },
    { path: "/sign-out", fields: {} },
  ].map((form) => ({
    ...form,
    send: (token: string, headers = {}) =>
      person.post(form.path, { ...form.fields, form_token: token }, { headers }),
  }));
}

describe("a form of somebody who is signed in is refused, and nothing is done", () => {
  const person = visitor();
  beforeAll(async () => {
    await newPerson(world, person);
  });

  test.each<[string, Record<string, string>]>([
    ["from another origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["from a frame that hides its origin", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["from another port of this host", { origin: "http://localhost:1", "sec-fetch-site": "same-site" }],
    ["from a browser that does not say", { origin: "null", "sec-fetch-site": "" }],
  ])("%s, even with the right token", async (_, headers) => {
    const { formToken } = await person.get("/account");
    for (const form of await forms(person)) {
      const answer = await form.send(formToken, headers);
      expect([form.path, answer.status]).toEqual([form.path, 403]);
      expect(answer.html).toContain("This form did not come from here");
    }
    expect((await person.get("/account")).status).toBe(200);
  });

  test("without a token, with a made-up one, and with that of another session", async () => {
    const [other, stranger] = [visitor(), visitor()];
    await newPerson(world, other);
    const tokens = [
      "",
      "x".repeat(43),
      (await other.get("/account")).formToken,
      (await stranger.get("/sign-in")).formToken,
    ];
    expect(new Set(tokens).size).toBe(4);
    for (const form of await forms(person)) {
      for (const token of tokens) {
        const answer = await form.send(token);
        expect([form.path, answer.status]).toEqual([form.path, 403]);
        expect(answer.html).toContain("This form is out of date");
      }
    }
    expect((await person.get("/account")).status).toBe(200);
  });

  test("when the person has signed out and in again since it was opened", async () => {
    const person = visitor();
    const { email } = await newPerson(world, person);
    const before = (await person.get("/account")).formToken;
    await person.submit("/account", "/sign-out", {});
    await person.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    const after = (await person.get("/account")).formToken;
    expect(after).not.toBe(before);
    expect((await person.post("/sign-out", { form_token: before })).status).toBe(403);
    expect((await person.post("/sign-out", { form_token: after })).location).toBe("/sign-in");
  });
});

test("a stranger's page cannot sign a browser in, and sign-in ends the forms made before it", async () => {
  const person = visitor();
  const { email } = await newPerson(world, person);
  const victim = visitor();
  const foreign = await victim.post("/sign-in", {
    email,
    password: PASSWORD,
    form_token: (await visitor().get("/sign-in")).formToken,
  });
  expect([foreign.status, victim.cookies.size]).toEqual([403, 1]);
  const { formToken } = await victim.get("/sign-in");
  const fields = { email, password: PASSWORD, form_token: formToken };
  expect((await victim.post("/sign-in", fields)).location).toBe("/admin");
  expect((await victim.post("/sign-in", fields)).status).toBe(403);
});

test("who is not signed in is led to the sign-in page and back, and nothing is done", async () => {
  const person = visitor();
  await newPerson(world, person);
  const agent = await registered(world.handle);
  const { formToken } = await person.get("/account");
  person.cookies.clear();
  await person.get("/sign-in");
  const token = (await person.get("/sign-in")).formToken;
  expect(token).not.toBe(formToken);
  const sent = await person.post("/bind/approve", {
    code: agent.claim_code,
    form_token: token,
    scope: "memory:read",
  });
  expect([sent.status, sent.location]).toEqual([303, "/sign-in?next=%2Fbind"]);
  expect((await person.get("/account")).location).toBe("/sign-in?next=%2Faccount");
  expect((await person.get("/bind")).location).toBe("/sign-in?next=%2Fbind");
  expect((await person.get("/oauth/consent?client_id=a&b=c")).location).toBe(
    `/sign-in?next=${encodeURIComponent("/oauth/consent?client_id=a&b=c")}`,
  );
  expect(await world.service.agentClaims.find(agent.claim_code)).toMatchObject({ status: "pending" });
});

describe("sign-in", () => {
  const person = visitor();
  let email: string;
  beforeAll(async () => {
    email = (await newPerson(world, person)).email;
  });

  test.each([
    ["https://evil.example", "/admin"],
    ["//evil.example", "/admin"],
    ["/\\evil.example", "/admin"],
    ["/\t/evil.example", "/admin"],
    ["javascript:alert(1)", "/admin"],
    ["/bind", "/bind"],
  ])("with next=%j goes to %j, whether it came in the address or the form", async (next, expected) => {
    await person.submit("/account", "/sign-out", {});
    const page = await person.get(`/sign-in?${new URLSearchParams({ next })}`);
    expect(page.html).toContain(`name="next" value="${expected}"`);
    const fields = { email, password: PASSWORD, form_token: page.formToken };
    expect((await person.post("/sign-in", { ...fields, next })).location).toBe(expected);
    expect((await person.get(`/sign-in?${new URLSearchParams({ next })}`)).location).toBe(expected);
  });
});

describe("a body", () => {
  test("over 64 KiB is refused, announced or not", async () => {
    const person = visitor();
    const { formToken } = await person.get("/sign-in");
    const body = `form_token=${formToken}&email=${"a".repeat(70_000)}`;
    const type = { "content-type": "application/x-www-form-urlencoded", ...SAME_ORIGIN };
    const whole = await person.send("POST", "/sign-in", { headers: type, body });
    expect(whole.status).toBe(413);
    const announced = { ...type, "content-length": "999999999" };
    expect((await person.send("POST", "/sign-in", { headers: announced, body })).status).toBe(413);
  });

  test.each([
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded; charset=utf-16",
    "",
  ])("of the type %j is refused", async (type) => {
    const person = visitor();
    const { formToken } = await person.get("/sign-in");
    const headers = { ...SAME_ORIGIN, "content-type": type };
    const answer = await person.send("POST", "/sign-in", { headers, body: `form_token=${formToken}` });
    expect(answer.status).toBe(415);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("with what cannot be stored is refused like a wrong password", async () => {
    const person = visitor();
    for (const fields of [
      { email: "a\u0000@example.com", password: "x" },
      { email: "a@example.com", password: "\u0000" },
      { email: "'; drop table owners; --", password: "x" },
      { email: "", password: "" },
      { email: "a@example.com", password: "x".repeat(5000) },
    ]) {
      expect((await person.submit("/sign-in", "/sign-in", fields)).status).toBe(422);
    }
    const bytes = new Uint8Array([...new TextEncoder().encode("form_token=x&email="), 0xff, 0xfe]);
    const headers = { ...SAME_ORIGIN, "content-type": "application/x-www-form-urlencoded" };
    expect((await person.send("POST", "/sign-in", { headers, body: bytes })).status).toBe(422);
  });
});
