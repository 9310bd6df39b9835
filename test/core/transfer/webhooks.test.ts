/** Webhooks in an export: where events go and which, without the secret, and sent by nobody until somebody sets them anew. */
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { openReceiver } from "../../events/receiver.ts";
import { eventually, stored } from "../../support/acting.ts";
import { openTransferWorld } from "./transfer-world.ts";

const ALLOWED = { OUTBOUND_ALLOW: "127.0.0.1" };

async function receiver() {
  const opened = await openReceiver();
  onTestFinished(opened.close);
  return opened;
}

test("come back suspended, with their ids and another secret, and are told of nothing that was restored", async () => {
  const [one, two] = [await openTransferWorld(ALLOWED), await openTransferWorld(ALLOWED)];
  const before = await one.client({ owner: "alice" });
  const to = await receiver();
  const given = { url: to.url, description: "Of the build", subjects: ["memory"], project_id: null };
  const { id, secret } = (await before.post("/v1/webhooks", given)).body;
  const off = (await before.post("/v1/webhooks", { url: "https://hooks.example/x", project_id: "p" })).body;
  await before.patch(`/v1/webhooks/${off.id}`, { enabled: false });
  await stored(before, { content: "Said before." });
  await eventually(
    async () => to.taken().length,
    (taken) => taken === 1,
  );

  const file = await one.backup();
  expect(JSON.stringify(file)).not.toContain(secret.slice("whsec_".length));
  expect(file.filter(({ kind }) => kind === "webhook")).toEqual([
    {
      kind: "webhook",
      owner: { kind: "user", name: "alice" },
      id,
      ...given,
      end_users: false,
      enabled: true,
      created_at: expect.any(String),
    },
    expect.objectContaining({ id: off.id, project_id: "p", subjects: null, enabled: false }),
  ]);
  expect(await two.imported(file)).toMatchObject({ conflicts: 0, invalid: 0, kinds: { webhook: 2 } });
  expect(await two.imported(file)).toMatchObject({ created: 0, conflicts: 0, invalid: 0 });
  const settled = (line: { kind?: unknown }) => line.kind === "webhook";
  expect((await two.backup()).filter(settled)).toEqual(file.filter(settled));

  const after = await two.client({ owner: "alice" });
  const { webhooks } = (await after.get("/v1/webhooks")).body;
  expect(webhooks).toMatchObject([
    { id, ...given, enabled: true, state: "suspended" },
    { id: off.id, enabled: false, state: "disabled" },
  ]);
  await stored(after, { content: "Said while nobody had set it." });
  // Set anew, it is told of what comes then, and signs with what a rotation answers.
  await after.patch(`/v1/webhooks/${id}`, {});
  const rotated = (await after.post(`/v1/webhooks/${id}/rotate-secret`)).body;
  const last = await stored(after, { content: "Said afterwards." });
  await eventually(
    async () => to.taken().length,
    (taken) => taken >= 2,
    30_000,
  );
  const [, next] = to.taken();
  expect(next?.event.data.id).toBe(last);
  expect((await after.get(`/v1/webhooks/${id}`)).body).toMatchObject({ state: "working", missed_at: null });
  const headers = next?.headers as Record<string, string>;
  expect(() => new Webhook(secret).verify(next?.body ?? "", headers)).toThrow();
  expect(new Webhook(rotated.secret).verify(next?.body ?? "", headers)).toEqual(next?.event);
});

test("one that is there with other members is left as it is, and said; a line that cannot be is refused", async () => {
  const world = await openTransferWorld();
  const client = await world.client({ owner: "alice" });
  const { id } = (await client.post("/v1/webhooks", { url: "https://hooks.example/a" })).body;
  const file = await world.backup();
  const changed = file.map((line) =>
    line.kind === "webhook" ? { ...line, url: "https://evil.example/" } : line,
  );
  expect(await world.imported(changed)).toMatchObject({
    created: 0,
    conflicts: 1,
    complaints: [{ reason: "there is a webhook of that id with other members or of another owner" }],
  });
  const broken = file.map((line) =>
    line.kind === "webhook" ? { ...line, url: "file:///etc/passwd" } : line,
  );
  expect(await world.imported(broken)).toMatchObject({ created: 0, invalid: 1 });
  expect((await client.get(`/v1/webhooks/${id}`)).body).toMatchObject({
    url: "https://hooks.example/a",
    state: "working",
  });
});
