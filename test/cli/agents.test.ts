import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgentStore } from "../../src/adapters/postgres/access/agent-store.ts";
import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { confirmBinding } from "../../src/core/agent/bind.ts";
import { registerAgent } from "../../src/core/agent/register.ts";
import { callerOf } from "../../src/core/caller.ts";
import { type BesideServer, openBesideServer } from "./beside-server.ts";

let cli: BesideServer;
beforeAll(async () => {
  cli = await openBesideServer();
  // Any command brings the schema up to date.
  await cli.json("agents", "list");
});
afterAll(() => cli.close());

const failed = (stderr: string) => ({ status: 1, stdout: "", stderr: `${stderr}\n` });
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** The running server's half. */
function server() {
  return {
    agents: createAgentStore(cli.sql, () => {}),
    credentials: createCredentialStore(cli.sql),
    settings: { publicUrl: "http://localhost", selfRegistration: true },
    clock: Date.now,
    newId: uuidv7,
    hash,
  };
}

function register(client_name = "Coder") {
  const introduction = { entry_type: "cli", client_name, installation_fingerprint: "f" };
  return registerAgent(
    server(),
    { address: "203.0.113.9", network: "203.0.113.9", requestId: "r" },
    introduction,
  );
}

async function confirm(temporaryToken: string | null, confirmationToken: string) {
  const ports = server();
  const credential = await ports.credentials.authenticate(temporaryToken as string);
  if (!credential) throw new Error("the temporary token is not valid");
  const claims = {
    agentId: null,
    agentName: null,
    agentInstance: null,
    sessionId: null,
    taskId: null,
    projectId: null,
  };
  const caller = callerOf(credential, claims, { requestId: "r", hash });
  return confirmBinding(ports, caller, { confirmation_token: confirmationToken });
}

test("an agent is approved for a new user, bound with the token that is printed, and revoked", async () => {
  const agent = await register();
  expect(await cli.json("agents", "list")).toMatchObject([
    { agent_id: agent.agent_id, status: "pending", client_name: "Coder", approved_at: null, scopes: [] },
  ]);
  const typed = agent.claim_code.toLowerCase();
  const approved = await cli.json("agents", "approve", typed, "--owner", "alice", "--projects", "apollo");
  expect(approved).toEqual({
    agent_id: agent.agent_id,
    status: "awaiting_confirmation",
    confirmation_token: expect.stringMatching(/^rcl_confirm_[\w-]{43}$/),
    owner: "alice",
    scopes: ["memory:read", "memory:write"],
    team_id: null,
    projects: ["apollo"],
    expires_at: expect.any(String),
    user_is_new: true,
  });
  const bound = await confirm(agent.temporary_token, approved.confirmation_token);
  expect(bound).toMatchObject({ status: "bound", scopes: ["memory:read", "memory:write"] });
  expect(await createCredentialStore(cli.sql).authenticate(bound.token)).toMatchObject({
    kind: "agent_formal",
    owner: { kind: "user", name: "alice" },
    space: { projects: ["apollo"] },
    agentId: agent.agent_id,
  });

  expect(await cli.json("agents", "revoke", agent.agent_id)).toEqual({
    agent_id: agent.agent_id,
    status: "revoked",
  });
  expect(await createCredentialStore(cli.sql).authenticate(bound.token)).toBeNull();
  expect(await cli.json("agents", "list")).toMatchObject([{ status: "revoked" }]);
});

test("people are told who asks, without what could steer their terminal", async () => {
  const agent = await register("Co\u202eder");
  const { stdout, stderr } = await cli.run("agents", "approve", agent.claim_code, "--owner", "bob");
  expect(stdout).toMatch(/^owner +bob; the user was created$/m);
  expect(stdout).toMatch(/^client +Co\?der$/m);
  expect(stdout).toMatch(/^registered +\S+Z from 203\.0\.113\.9$/m);
  expect(stdout).toMatch(/^confirmation_token +rcl_confirm_/m);
  expect(stderr).toContain("within ten minutes");
  expect((await cli.run("agents", "list")).stdout).toMatch(
    new RegExp(`^${agent.agent_id} +awaiting_confirmation +Co\\?der +memory:read,memory:write `, "m"),
  );
});

/** A memory as an agent's write leaves it in its quarantine. */
async function wrote(agentId: string, { content, project_id }: { content: string; project_id: string }) {
  await cli.sql`
    insert into memories (id, owner_id, memory_id, author_id, author_token, scope, project_id, path, bucket, memory_type,
      status, content, version, importance, confidence, metadata, provenance, created_at, updated_at)
    select ${uuidv7()}, quarantine_id, ${uuidv7()}, quarantine_id, ${uuidv7()}, 'private', ${project_id}, 'p', 'public',
      'semantic', 'active', ${content}, 1, 1, 1, '{}', '{}', now(), now() from agents where id = ${agentId}`;
}

test("what the agent has written is printed with what becomes of it, and can be discarded", async () => {
  const agent = await register();
  await wrote(agent.agent_id, {
    content: 'Rot\u202eate "the" keys.',
    project_id: "apollo",
  });
  await wrote(agent.agent_id, { content: "Elsewhere.", project_id: "zeus" });
  const approve = (...more: string[]) => [
    "agents",
    "approve",
    agent.claim_code,
    "--owner",
    "erin",
    "--projects",
    "apollo",
    ...more,
  ];
  const { stdout } = await cli.run(...approve());
  expect(stdout).toMatch(/^written +1 memory in apollo: taken over$/m);
  expect(stdout).toMatch(/^written +1 memory in zeus: not taken over$/m);
  expect(stdout).toContain(`  memory: "Rot?ate 'the' keys."\n  memory: "Elsewhere."`);
  const some = await cli.json(...approve());
  expect(some.written).toEqual({
    taken_over: { memories: 1, todos: 0, decisions: 0 },
    left: { memories: 1, todos: 0, decisions: 0 },
  });
  const none = await cli.json(...approve("--discard"));
  expect(none.written).toEqual({
    taken_over: { memories: 0, todos: 0, decisions: 0 },
    left: { memories: 2, todos: 0, decisions: 0 },
  });
  await confirm(agent.temporary_token, none.confirmation_token);
  const [row] = await cli.sql`
    select count(*)::int as count from memories m join owners o on o.id = m.owner_id where o.kind = 'user'`;
  expect(row?.count).toBe(0);
});

test("for a team the user must be a member of it, and a viewer's agent only reads", async () => {
  const agent = await register();
  const approve = (...more: string[]) =>
    cli.run("agents", "approve", agent.claim_code, "--owner", "carol", "--team", "research", ...more);
  expect(await approve()).toEqual(
    failed("There is no team named research. Run recollect teams list to see them all."),
  );
  await cli.json("teams", "create", "research", "--owner", "dora");
  expect((await approve()).status).toBe(1);
  await cli.json("teams", "add", "research", "carol", "--role", "viewer");
  expect(await approve()).toEqual(
    failed(
      "A viewer of the team can let an agent read, not write.\nMore about this: http://127.0.0.1:8787/docs/errors#role_forbidden",
    ),
  );
  expect(await approve("--scopes", "memory:read")).toMatchObject({ status: 0 });
});

test("what is unknown has exit status 1 and makes nobody", async () => {
  expect(await cli.run("agents", "approve", "0000-0000-0000", "--owner", "nobody-yet")).toEqual(
    failed(
      "No agent is waiting with that code: the code may have expired, or the agent may already be bound. Ask the agent for a new code.",
    ),
  );
  expect(await cli.sql`select from owners where name = 'nobody-yet'`).toHaveLength(0);
  expect(await cli.run("agents", "revoke", "agent_none")).toEqual(
    failed("There is no agent with that id. Run recollect agents list to see them all."),
  );
});

test("a name that steers a terminal is harmless in the table and in JSON, which still says what it is", async () => {
  const name = "x\u009b2J\u202ey\u200b\u{e0041}";
  await register(name);
  const unsafe = /(?!\n)\p{Cc}|\p{Cf}/u;
  const asTable = await cli.run("agents", "list");
  expect(asTable.stdout).not.toMatch(unsafe);
  expect(asTable.stdout).toContain("x?2J?y");
  const asJson = await cli.run("agents", "list", "--json");
  expect(asJson.stdout).not.toMatch(unsafe);
  const names = JSON.parse(asJson.stdout).map((agent: { client_name: string }) => agent.client_name);
  expect(names).toContain(name);
});
