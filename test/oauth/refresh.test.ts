/** Refresh tokens: a lost answer is given again, a stolen token ends what came of its authorization and no more. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserOf } from "./browser.ts";
import { type RawClient, rawClient, type TokenAnswer, type Tokens } from "./client.ts";
import { accountOn, openServer, server } from "./server.ts";

let at: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  at = await openServer();
});
afterAll(() => at.close());

let users = 0;

async function connected() {
  const account = await accountOn(at.service, `user${users++}`);
  const client = await rawClient(at.url);
  const browser = browserOf(at.service, { email: account.email });
  return { account, client, browser, tokens: await client.connect(browser) };
}

const statusWith = async ({ access_token }: Tokens, url = at.url): Promise<number> => {
  const headers = { authorization: `Bearer ${access_token}` };
  const answer = await fetch(`${url}/v1/memories`, { headers });
  await answer.body?.cancel();
  return answer.status;
};

/** Lets the time pass within which a repeated token is answered alike. */
const passTime = ({ clientId }: RawClient) => at.service.sql`
  update auth."oauthRefreshToken" set "rotatedAt" = "rotatedAt" - interval '31 seconds' where "clientId" = ${clientId}`;

const refused = { status: 400, body: { error: "invalid_grant" } };

/** The next refresh token, of answers that are all good and all the same. */
async function theSame(answers: readonly TokenAnswer[]): Promise<string> {
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const { body } of answers) {
    expect(await statusWith(body)).toBe(200);
    expect(body.scope).toBe("memory:read memory:write offline_access");
  }
  const successors = new Set(answers.map(({ body }) => body.refresh_token));
  expect(successors.size).toBe(1);
  return [...successors][0] as string;
}

test("a refresh rotates; a repeat soon after gets the same successor, and what it gets works on", async () => {
  const { client, tokens } = await connected();
  const first = await client.refresh(tokens.refresh_token);
  const again = await client.refresh(tokens.refresh_token);
  const successor = await theSame([first, again]);
  expect(successor).not.toBe(tokens.refresh_token);
  const third = await client.refresh(successor);
  const fourth = await client.refresh(successor);
  expect(await theSame([third, fourth])).not.toBe(successor);
  // Even once the successor is used: the first answer may still be under way.
  expect(await theSame([await client.refresh(tokens.refresh_token)])).toBe(successor);
});

test("refreshes at once all get the same successor, on several servers as on one", async () => {
  const { client, tokens } = await connected();
  const replica = await server({ address: at.address, publicUrl: at.url });
  const onReplica = async () => {
    const form = { grant_type: "refresh_token", client_id: client.clientId };
    const body = new URLSearchParams({ ...form, refresh_token: tokens.refresh_token });
    const answer = await fetch(`${replica.url}/oauth2/token`, { method: "POST", body });
    return { status: answer.status, body: (await answer.json()) as TokenAnswer["body"] };
  };
  const asked = Array.from({ length: 6 }, (_, n) =>
    n % 2 ? onReplica() : client.refresh(tokens.refresh_token),
  );
  await theSame(await Promise.all(asked));
});

test("a later reuse ends all that came of that authorization, and no other of the same client", async () => {
  const { account, client, browser, tokens } = await connected();
  const other = await client.connect(browser);
  const { body: next } = await client.refresh(tokens.refresh_token);
  await passTime(client);
  expect(await client.refresh(tokens.refresh_token)).toMatchObject(refused);
  for (const ended of [tokens, next]) {
    expect(await statusWith(ended)).toBe(401);
    expect(await client.refresh(ended.refresh_token)).toMatchObject(refused);
  }
  expect(await statusWith(other)).toBe(200);
  expect(await client.refresh(other.refresh_token)).toMatchObject({ status: 200 });
  expect(await at.service.oauth.grants(account)).toHaveLength(1);
});

test("with the last authorization the grant ends, and the person is asked again", async () => {
  const { account, client, browser, tokens } = await connected();
  await client.refresh(tokens.refresh_token);
  await passTime(client);
  expect(await client.refresh(tokens.refresh_token)).toMatchObject(refused);
  expect(await at.service.oauth.grants(account)).toEqual([]);
  expect((await browser.visit(client.authorization())).asked).not.toBe(null);
});

test("over random refreshes, repeats, races and late reuses, each authorization lives and dies by itself", async () => {
  const { client, browser, tokens } = await connected();
  const step = fc.record({
    of: fc.nat(2),
    what: fc.constantFrom("refresh", "repeat", "race", "late reuse"),
  });
  let isFirst = true;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const start = [isFirst ? tokens : await client.connect(browser)];
      isFirst = false;
      for (let more = 0; more < 2; more += 1) start.push(await client.connect(browser));
      /** Of each authorization its refresh tokens so far, or null once it has ended. */
      const chains: (string[] | null)[] = start.map(({ refresh_token }) => [refresh_token]);
      const newest = start.slice();
      for (const { of, what } of steps) {
        const chain = chains[of];
        if (!chain) continue;
        const [before, current] = [chain.at(-2), chain.at(-1) as string];
        if (what === "late reuse") {
          if (before === undefined) continue;
          await passTime(client);
          expect(await client.refresh(before)).toMatchObject(refused);
          chains[of] = null;
        } else if (what === "repeat") {
          // Late by now, where another step let time pass.
          if (before === undefined || steps.some((one) => one.what === "late reuse")) continue;
          expect(await theSame([await client.refresh(before)])).toBe(current);
        } else {
          const asked = Array.from({ length: what === "race" ? 2 : 1 }, () => client.refresh(current));
          const answers = await Promise.all(asked);
          chain.push(await theSame(answers));
          newest[of] = answers[0]?.body as Tokens;
        }
      }
      for (const [n, chain] of chains.entries())
        expect([n, await statusWith(newest[n] as Tokens)]).toEqual([n, chain ? 200 : 401]);
    }),
    { numRuns: 4 },
  );
});

test("a repeat is for the client that has the token, with its secret if it has one", async () => {
  const { tokens, client } = await connected();
  await client.refresh(tokens.refresh_token);
  const other = await rawClient(at.url);
  expect(await other.refresh(tokens.refresh_token)).toMatchObject(refused);
  await passTime(client);
  // Whoever is not the client ends nothing by it either.
  expect(await other.refresh(tokens.refresh_token)).toMatchObject(refused);
  expect(await statusWith(tokens)).toBe(200);
});

test("a refresh may ask for fewer scopes, and for no others", async () => {
  const { client, tokens } = await connected();
  const narrow = await client.refresh(tokens.refresh_token, { scope: "memory:read" });
  expect(narrow).toMatchObject({ status: 200, body: { scope: "memory:read offline_access" } });
  const credential = await at.service.oauth.authenticate(narrow.body.access_token);
  expect(credential?.scopes).toEqual(["memory:read"]);
  // The successor has what its predecessor had (RFC 6749, section 6).
  const whole = await client.refresh(narrow.body.refresh_token);
  expect(whole.body.scope).toBe("memory:read memory:write offline_access");
  expect(await client.refresh(whole.body.refresh_token, { scope: "ledger:write" })).toMatchObject({
    status: 400,
    body: { error: "invalid_scope" },
  });
  const elsewhere = { resource: "https://elsewhere.example/mcp" };
  expect(await client.refresh(whole.body.refresh_token, elsewhere)).toMatchObject({
    status: 400,
    body: { error: "invalid_target" },
  });
});

test("a client that this service does not know is told so, whatever it holds", async () => {
  const { client, tokens } = await connected();
  const unknown = { client_id: "a-client-from-before" };
  const answers = [
    await client.refresh(tokens.refresh_token, unknown),
    await client.refresh("no-such-token", unknown),
    await client.exchange("no-such-code", unknown),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  const revoked = await client.revoke(tokens.refresh_token, unknown);
  expect([revoked.status, await revoked.json()]).toMatchObject([401, { error: "invalid_client" }]);
  const basic = await fetch(`${at.url}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("a-client-from-before:secret")}` },
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none" }),
  });
  expect([basic.status, basic.headers.get("www-authenticate")]).toEqual([401, "Basic"]);
  // A known client with a token from before gets the error on which it drops the token alone.
  expect(await client.refresh("no-such-token")).toMatchObject(refused);
  expect(await statusWith(tokens)).toBe(200);
});

test("no grant type but the two that are offered is served", async () => {
  const { client, tokens } = await connected();
  const metadata = await (await fetch(`${at.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata.grant_types_supported).toEqual(["authorization_code", "refresh_token"]);
  const others = [
    "urn:recollect:grant-type:refresh",
    " urn:recollect:grant-type:refresh",
    "client_credentials",
    "",
  ];
  for (const grant_type of others)
    expect(await client.refresh(tokens.refresh_token, { grant_type })).toMatchObject({
      status: 400,
      body: { error: "unsupported_grant_type" },
    });
  expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 200 });
});
