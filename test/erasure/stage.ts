import type { Sql } from "../../src/adapters/postgres/database/client.ts";
import { eraseOwner } from "../../src/core/access/erasure.ts";
import { bind, register } from "../agents/agents.ts";
import { memory } from "../support/acting.ts";
import type { Client, World } from "../support/world.ts";

/** The erasure as the command line has it done, without its pause. */
export function erase(world: World, kind: "user" | "team", name: string) {
  return eraseOwner(world.service.erasures, { kind, name }, { settle: async () => {} });
}

/** Has a client leave its word everywhere a client can, by the memories, items and settings of an owner. */
export async function leaveWords(
  client: Client,
  word: string,
  given: Record<string, unknown> = {},
): Promise<void> {
  const headers = {
    "x-session-id": word,
    "x-agent-name": word,
    "x-agent-id": word,
    "x-task-id": word,
    "x-request-id": word,
  };
  const text = (n: number) => `The ${n}. word is ${word}.`;
  for (const n of [1, 2, 3]) {
    const body = memory({
      content: text(n),
      path: `of/${word}`,
      source: word,
      metadata: { [word]: word },
      semantic_key: `${word}-${n}`,
      memory_id: `${word}-${n}`,
      ...given,
    });
    const { id } = (
      await client.post("/v1/remember", body, { ...headers, "idempotency-key": `${word}-${n}` })
    ).body;
    await client.patch(
      `/v1/memories/${id}`,
      { content: `Now ${text(n)}`, supersession_reason: word },
      headers,
    );
    await client.post("/v1/recall/feedback", { memory_id: id, helpful: true, query: word }, headers);
    if (n === 2) await client.delete(`/v1/memories/${id}?reason=${word}`, headers);
    if (n === 3) await client.post(`/v1/memories/${id}/forget`, { mode: "redact", reason: word }, headers);
  }
  const project = `/v1/projects/p-${word}`;
  const todo = await client.post(
    `${project}/todos`,
    { content: word, extra_metadata: { word }, ...given },
    headers,
  );
  await client.post(`${project}/todos/${todo.body.todo_id}/accept`, {}, headers);
  await client.post(`${project}/todos/${todo.body.todo_id}/complete`, { note: word }, headers);
  const decision = await client.post(
    `${project}/decisions`,
    { context: word, options: [word], ...given },
    { ...headers, "idempotency-key": `d-${word}` },
  );
  await client.post(
    `${project}/decisions/${decision.body.decision_id}/resolve`,
    { resolution: word, resolution_note: word },
    headers,
  );
  await client.patch(`${project}/maintenance/settings`, { stale_after_days: 30, ...given }, headers);
  await client.post(
    `${project}/maintenance/execute`,
    { actions: ["archive_stale"], confirm_all_matching: true, ...given },
    headers,
  );
  await client.get(`/v1/memories/search?query=${word}`, headers);
}

/** All else that a person has: an account with a session and an app, agents bound and not, keys and skills. */
export async function leavePerson(world: World, name: string, word: string): Promise<void> {
  const { credentials, accounts, sql } = world.service;
  const user = await credentials.ensureOwner("user", name);
  const { secret } = await accounts.invite(user);
  const request = { headers: new Headers({ "user-agent": word }), address: "192.0.2.1" };
  const email = `${word}@example.com`;
  await accounts.accept(secret, request, { email, password: `${word}-${word}` });
  await leaveApp(sql, email, word);
  const agent = await register(world, { client_name: word, runtime: word });
  await agent.client.post(
    "/v1/remember",
    memory({ content: `Quarantined: ${word}`, path: "q", bucket: "kept" }),
  );
  const formal = await bind(world, agent, user, { projects: [`p-${word}`] });
  await formal.post("/v1/remember", memory({ content: `By the agent: ${word}`, project_id: `p-${word}` }));
  await formal.post("/v1/skill/tokens", { name: word });
  await credentials.issue({
    kind: "skill",
    ownerId: user.id,
    name: word,
    scopes: ["memory:read"],
    space: { teamId: null, projects: [word], pathPrefix: word, buckets: [word] },
    expiresAt: null,
  });
}

/** What the OAuth server keeps of an app that was let in. */
async function leaveApp(sql: Sql, email: string, word: string): Promise<void> {
  const [account] = await sql`
    select u.id, s.owner_id from auth."user" u join auth.sign_ins s on s.user_id = u.id where u.email = ${email}`;
  const client = `client-${account?.id}`;
  await sql`
    insert into auth."oauthClient" (id, "clientId", name, "redirectUris") values (${client}, ${client}, 'An app', '[]')`;
  await sql`
    insert into tokens (id, kind, hash, hint, name, owner_id, scopes, account_id, client_id)
    values (gen_random_uuid(), 'oauth', sha256(${word}::bytea), 'rcl_oauth_', ${word}, ${account?.owner_id},
            '{memory:read}', ${account?.id}, ${client})`;
  await sql`
    insert into auth."oauthConsent" (id, "clientId", "userId", scopes, "referenceId", "createdAt", "updatedAt")
    values (gen_random_uuid(), ${client}, ${account?.id}, '[]', ${word}, now(), now())`;
  await sql`
    insert into auth."oauthRefreshToken" (id, token, "clientId", "userId", "expiresAt", "createdAt", scopes, "referenceId")
    values (gen_random_uuid(), ${`r-${word}`}, ${client}, ${account?.id}, now() + interval '1 day', now(), '[]', ${word})`;
  await sql`
    insert into auth."oauthAccessToken" (id, token, "clientId", "userId", "expiresAt", "createdAt", scopes, "referenceId")
    values (gen_random_uuid(), ${`a-${word}`}, ${client}, ${account?.id}, now() + interval '1 day', now(), '[]', ${word})`;
  await sql`
    insert into auth.verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
    values (gen_random_uuid(), ${`code-${client}`}, ${JSON.stringify({ userId: account?.id, word })},
            now() + interval '5 minutes', now(), now())`;
}

/** Every row of every table, as text, by its table. */
export async function allRows(sql: Sql): Promise<Map<string, Set<string>>> {
  const tables = await sql`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await sql.unsafe(`select t::text as row from ${name} t`);
      return [name as string, new Set(found.map(({ row }) => row as string))] as const;
    }),
  );
  return new Map(rows);
}
