/** What strangers say of themselves, as it is shown. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { newPerson, registered } from "./support/people.ts";
import { createVisitor, type Visitor } from "./support/visitor.ts";

let world: World;
/** Somebody who is signed in, and looks at one agent after the other. */
let person: Visitor;

beforeAll(async () => {
  world = await openWorld();
  person = createVisitor("http://localhost", world.handle);
  await newPerson(world, person);
});

afterAll(() => world.close());

async function pageOf(given: Record<string, unknown>): Promise<string> {
  const { claim_code } = await registered(world.handle, given);
  await person.get(`/bind?code=${claim_code}`);
  const page = await person.get("/bind");
  expect(page.status).toBe(200);
  return page.html;
}

const NAMES: readonly [name: string, shown: string][] = [
  ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  [`"><img src=x onerror=alert(1)>`, "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"],
  ["it's & you're", "it&#39;s &amp; you&#39;re"],
  ["</bdi></main><h1>Approved</h1>", "&lt;/bdi&gt;&lt;/main&gt;&lt;h1&gt;Approved&lt;/h1&gt;"],
  ["safe\u202Egnp.exe", "safe\ufffdgnp.exe"],
  ["a\u2066b\u2069c", "a\ufffdb\ufffdc"],
  ["zero\u200bwidth\ufeff", "zero\ufffdwidth\ufffd"],
  ["\u3164unseen\u2800\ufe0f", "\ufffdunseen\ufffd\ufffd"],
  ["line\nbreak\r\u2028\u2029", "line\ufffdbreak\ufffd\ufffd\ufffd"],
  ["bell\u0007 esc\u001b[31m", "bell\ufffd esc\ufffd[31m"],
  ["\u0627\u0644\u0639\u0631\u0628\u064a\u0629", "\u0627\u0644\u0639\u0631\u0628\u064a\u0629"],
  ["{{7*7}} %3Cb%3E &lt;b&gt;", "{{7*7}} %3Cb%3E &amp;lt;b&amp;gt;"],
];

test.each(NAMES)("the name %j is shown as text", async (name, shown) => {
  const html = await pageOf({
    client_name: name,
    client_version: name.slice(0, 64),
    runtime: name.slice(0, 64),
    entry_type: name.slice(0, 64),
  });
  expect(html.split(`<bdi class="said">${shown}</bdi>`)).toHaveLength(5);
});

describe("the page of an agent that asks", () => {
  test("says what it claims, what is known, and when to approve", async () => {
    const html = await pageOf({
      client_name: "Apollo's coder",
      client_version: "1.4.0",
      runtime: "node 22",
      entry_type: "mcp",
      project_id: "apollo",
    });
    for (const words of [
      "Approve only if you started this agent yourself, just now.",
      "What it says about itself",
      "None of this has been checked: ",
      "Apollo&#39;s coder",
      "1.4.0",
      "node 22",
      "mcp",
      " ago (",
      "UTC)",
      `name="project_list" value="apollo"`,
    ])
      expect(html).toContain(words);
  });

  test("offers every scope in words, with reading and writing chosen", async () => {
    const html = await pageOf({});
    const boxes = [...html.matchAll(/type="checkbox"[^>]*name="scope" value="([^"]+)"( checked)?/g)];
    expect(boxes.filter(([, , isChosen]) => isChosen).map(([, scope]) => scope)).toEqual([
      "memory:read",
      "memory:write",
    ]);
    expect(boxes.map(([, scope]) => scope).sort()).toEqual([
      "knowledge:read",
      "ledger:write",
      "memory:delete",
      "memory:hard_delete",
      "memory:read",
      "memory:redact",
      "memory:restore",
      "memory:update",
      "memory:write",
      "users:act",
    ]);
    expect(html).toContain("Recall, search, list and read memories");
  });

  test("does not tell an unknown code from one that has ended", async () => {
    const { claim_code } = await registered(world.handle);
    await person.submit("/account", "/bind/deny", { code: claim_code });
    const shown = async (code: string) => {
      await person.get(`/bind?code=${code}`);
      const { status, html } = await person.get("/bind");
      return { status, html: html.replaceAll(/value="[^"]*"/g, "") };
    };
    const ended = await shown(claim_code);
    expect(ended.status).toBe(404);
    expect(await shown("AAAA-BBBB-CCCC")).toEqual(ended);
    expect(await shown("'; drop table agents; --")).toEqual(ended);
  });
});

test("the account page tells only of what it knows to have been done, whatever its address says", async () => {
  expect((await person.get("/account?done=agent")).html).toContain("The agent was revoked.");
  for (const word of ["nothing", "constructor", "toString", "__proto__"]) {
    expect((await person.get(`/account?done=${word}`)).html).not.toContain(`role="status"`);
  }
});

describe("what decides is shown to its end, however long it is", () => {
  test("the place that an app's answer goes to", async () => {
    const host = `accounts.bank.example.${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.evil.example`;
    const redirectUri = `https://${host}/callback`;
    const { client_id } = (await world
      .handle(
        new Request("http://localhost/oauth2/register", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: "none" }),
        }),
      )
      .then((answer) => answer.json())) as { client_id: string };
    const asked = new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri: redirectUri,
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
    });
    const { location } = await person.get(`/oauth2/authorize?${asked}`);
    const { pathname, search } = new URL(location as string);
    expect((await person.get(pathname + search)).html).toContain(`>${host}<`);
  });

  test("a text that an agent has written, up to what the page reads of each", async () => {
    const { claim_code, temporary_token } = await registered(world.handle);
    const content = `${"A harmless beginning. ".repeat(15)}And the end.`;
    await world.withToken(temporary_token).post("/v1/memories", { content, path: "notes" });
    await person.get(`/bind?code=${claim_code}`);
    expect((await person.get("/bind")).html).toContain(content);
  });

  test("the projects that an agent may use", async () => {
    const { claim_code } = await registered(world.handle);
    const projects = Array.from({ length: 20 }, (_, at) => `project-${"x".repeat(20)}-${at}`);
    await person.submit("/account", "/bind/approve", {
      code: claim_code,
      scope: "memory:read",
      projects: "these",
      project_list: projects.join(" "),
    });
    const { html } = await person.get("/account");
    expect(projects.filter((project) => !html.includes(project))).toEqual([]);
  });
});
