/** OAuth clients in an export: known again under the id that they kept, and let in by nobody until a person does. */
import { expect, test } from "vitest";
import { browserOf } from "../../oauth/browser.ts";
import { clientNamed, rawClient, registration } from "../../oauth/client.ts";
import { accountOn, server } from "../../oauth/server.ts";
import { openTransferWorld, transferring } from "./transfer-world.ts";

const isClient = (line: { kind?: unknown }) => line.kind === "client";

test("a client goes on under the id that it kept: it is asked for once more, and works", async () => {
  const before = await server();
  const account = await accountOn(before.service);
  const client = await rawClient(before.url, { client_name: "Kept" });
  const tokens = await client.connect(browserOf(before.service, { email: account.email }));
  const confidential = await registration(before.url, {
    redirect_uris: ["https://app.example/callback"],
    token_endpoint_auth_method: "client_secret_post",
    scope: "memory:read",
  });
  const { client_id, client_secret } = (await confidential.json()) as Record<string, string>;
  const file = await transferring(before.service).backup();
  const text = JSON.stringify(file);
  for (const secret of [client_secret, tokens.access_token, tokens.refresh_token])
    expect(text).not.toContain(secret);
  // A registration's time has whole seconds, so the order of the two is not known.
  const registered = new Map(
    file.filter(isClient).map((line) => [(line as { client_id?: unknown }).client_id, line]),
  );
  expect(registered.size).toBe(2);
  expect(registered.get(client.clientId)).toMatchObject({
    client_name: "Kept",
    client_secret_hash: null,
    scopes: expect.any(Array),
  });
  expect(registered.get(client_id)).toMatchObject({ redirect_uris: ["https://app.example/callback"] });

  const after = await server();
  const { imported, backup } = transferring(after.service);
  expect(await imported(file)).toMatchObject({ conflicts: 0, invalid: 0, kinds: { client: 2 } });
  expect(await imported(file)).toMatchObject({ created: 0, conflicts: 0, invalid: 0 });
  expect((await backup()).filter(isClient)).toEqual(file.filter(isClient));

  // However long ago it registered, it is there after others have signed in and registered.
  await after.service.sql`update auth."oauthClient" set "createdAt" = now() - interval '1 year'`;
  const anew = await accountOn(after.service);
  const browser = browserOf(after.service, { email: anew.email });
  await rawClient(after.url);
  const same = clientNamed(after.url, client.clientId);
  expect(await same.refresh(tokens.refresh_token)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
  const visited = await browser.visit(same.authorization());
  expect(visited.asked).toMatchObject({ clientName: "Kept" });
  const exchanged = await same.exchange(visited.redirectTo.searchParams.get("code") as string);
  expect(exchanged.status).toBe(200);
  expect(await after.service.oauth.authenticate(exchanged.body.access_token)).not.toBe(null);

  const withSecret = clientNamed(after.url, client_id as string, "https://app.example/callback");
  const code = await withSecret.code(browser);
  expect((await withSecret.exchange(code, { client_secret: "another" })).status).not.toBe(200);
  const again = await withSecret.code(browser);
  expect(await withSecret.exchange(again, { client_secret: client_secret as string })).toMatchObject({
    status: 200,
  });
});

test("one owner's export has none, an import to one owner leaves them out, and none changes what is there", async () => {
  const world = await openTransferWorld();
  const line = {
    kind: "client",
    client_id: "kept",
    redirect_uris: ["http://127.0.0.1:7777/callback", "cursor://publisher.extension/callback"],
    client_name: "Kept",
    created_at: "2026-01-01T00:00:00.000Z",
  };
  const header = { recollect_export: 4 };
  const to = { owner: { kind: "user", name: "alice" } } as const;
  expect(await world.imported([header, line], to)).toMatchObject({ created: 0, skipped: 1 });
  expect(await world.imported([header, line], { dryRun: true })).toMatchObject({ created: 1 });
  expect(await world.imported([header, line])).toMatchObject({ created: 1 });
  await world.client({ owner: "alice" });
  expect((await world.backup(to)).filter(isClient)).toEqual([]);
  expect((await world.backup({ projectId: "apollo" })).filter(isClient)).toEqual([]);
  const [kept] = (await world.backup()).filter(isClient);
  expect(kept).toMatchObject(line);
  const changed = { ...line, redirect_uris: ["https://evil.example/callback"] };
  expect(await world.imported([header, changed])).toMatchObject({
    created: 0,
    conflicts: 1,
    complaints: [{ reason: "there is an OAuth client of that id with other members" }],
  });
  expect((await world.backup()).filter(isClient)).toEqual([kept]);
});

test.each([
  { redirect_uris: ["javascript:alert(1)"] },
  { redirect_uris: ["http://evil.example/callback"] },
  { redirect_uris: ["http://localhost@evil.example/callback"] },
  { redirect_uris: ["https://app.example/#here"] },
  { redirect_uris: ["file:///etc/passwd"] },
  { redirect_uris: [] },
  { client_uri: "javascript:alert(1)" },
  { client_id: "https://app.example/client.json" },
  { skip_consent: true },
])("a line that no registration could be is refused: %j", async (more) => {
  const world = await openTransferWorld();
  const line = { kind: "client", client_id: "c", redirect_uris: ["https://app.example/callback"] };
  const file = [{ recollect_export: 4 }, { ...line, created_at: "2026-01-01T00:00:00Z", ...more }];
  expect(await world.imported(file)).toMatchObject({ created: 0, invalid: 1 });
});
