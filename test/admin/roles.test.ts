/**
 * A viewer, a member and an admin of one team, and a stranger, each in a browser of their own: what each page offers them,
 * and what the service answers to every operation of the admin UI when their session asks for it past the pages.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyOperation } from "../../src/contract/operations.ts";
import type { sessionOperations } from "../../src/contract/session-operations.ts";
import type { Owner } from "../../src/core/access/credential.ts";
import { register } from "../agents/agents.ts";
import { launchChromium } from "../browser/support/chromium.ts";
import { openServed, type Served } from "../browser/support/served.ts";
import { setUp } from "../browser/support/signing-in.ts";
import { unguessable } from "../support/acting.ts";
import { buildAdminUi, settled, silentPage } from "./support/pages.ts";

let browser: Browser;
let served: Served;
let crew: Crew;

beforeAll(async () => {
  buildAdminUi();
  browser = await launchChromium();
  served = await openServed();
  crew = await openCrew();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const ROLES = ["viewer", "member", "admin", "stranger"] as const;
type Role = (typeof ROLES)[number];

const OF_THE_CREW = "The staging database";

/** A team with something of everything that an operation can be about. */
interface Crew {
  readonly teamId: string;
  readonly keeper: Owner;
  readonly memory: string;
  readonly runId: string;
  readonly key: string;
  readonly keepersKey: string;
  readonly bystander: string;
}

async function openCrew(): Promise<Crew> {
  const { teams, credentials } = served.world.service;
  const keeper = await credentials.ensureOwner("user", unguessable("keeper"));
  const { team } = await teams.create(unguessable("crew"), keeper);
  const client = await served.world.client({ owner: keeper.name });
  const say = async (content: string) =>
    (await client.post("/v1/remember", { content, path: "notes", team_id: team.id, project_id: "apollo" }))
      .body.id;
  const memory = await say(`${OF_THE_CREW} is db-1`);
  await say("An old note of the crew");
  await client.post("/v1/remember", {
    content: "Renew the certificate",
    path: "notes",
    team_id: team.id,
    memory_type: "reminder",
    metadata: { due_at: "2020-01-01T00:00:00Z" },
  });
  const { sql } = served.world.service;
  await sql`update memories set updated_at = now() - interval '1 year', created_at = now() - interval '1 year'
    where content = 'An old note of the crew'`;
  const project = "/v1/projects/apollo/maintenance";
  const plan = await client.get(`${project}?team_id=${team.id}`);
  const ran = await client.post(`${project}/execute?team_id=${team.id}`, {
    plan_hash: plan.body.plan_hash,
    actions: ["archive_stale"],
  });
  const bystander = await credentials.ensureOwner("user", "bystander");
  await teams.add(team.id, bystander.id, "viewer");
  const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
  const issue = async (ownerId: string) =>
    (
      await credentials.issue({
        kind: "api_key",
        ownerId,
        name: "robot",
        scopes: ["memory:read"],
        space,
        expiresAt: null,
      })
    ).credential.tokenId;
  return {
    teamId: team.id,
    keeper,
    memory,
    runId: ran.body.run_id,
    bystander: bystander.id,
    key: await issue(team.id),
    keepersKey: await issue(keeper.id),
  };
}

/** What somebody is refused, or `done`, in the order viewer, member, admin, stranger; one word where it is the same for all. */
type Outcome = string | readonly [viewer: string, member: string, admin: string, stranger: string];

const READERS: Outcome = ["done", "done", "done", "not_found"];
/** Whose credential it is not to look through is not told that it is there. */
const LOOKERS: Outcome = ["not_found", "not_found", "done", "not_found"];
const WRITERS: Outcome = ["role_forbidden", "done", "done", "not_found"];
const KEEPERS: Outcome = ["role_forbidden", "role_forbidden", "done", "not_found"];

interface Asked {
  readonly outcome: Outcome;
  /** What is asked for: of the team, as far as it can be. */
  readonly input: (crew: Crew, me: Owner) => object | Promise<object>;
}

const ofTeam = ({ teamId }: Crew) => ({ team_id: teamId });
const key = { kind: "api_key", name: "x", scopes: ["memory:read"] };
const approval = { scopes: ["memory:read"] };
const waiting = async () => (await register(served.world)).code;

/** Every operation that the admin UI has beside those of the contract, whose matrix is in `test/authorization`. */
/** Operations of keys too, which a session may ask for more of. */
type SessionsToo =
  | "listMemories"
  | "searchMemories"
  | "deleteMatching"
  | "executeMaintenance"
  | "eraseOwner"
  | keyof typeof ofEndUsers;

/** No end user of the team is there, so whoever may look finds none. */
const ofEndUser = (of: Crew) => ({ ...ofTeam(of), user_id: "ada" });
const END_USER_KEEPERS: Outcome = ["role_forbidden", "role_forbidden", "not_found", "not_found"];
const ofEndUsers = {
  listEndUsers: { outcome: KEEPERS, input: ofTeam },
  getEndUser: { outcome: END_USER_KEEPERS, input: ofEndUser },
  eraseEndUser: { outcome: END_USER_KEEPERS, input: ofEndUser },
  exportEndUser: { outcome: END_USER_KEEPERS, input: ofEndUser },
  issueEndUserToken: { outcome: KEEPERS, input: ofEndUser },
} satisfies Readonly<Record<string, Asked>>;

const asked: Readonly<Record<keyof typeof sessionOperations | SessionsToo, Asked>> = {
  session: { outcome: "done", input: () => ({}) },
  listSessions: { outcome: "done", input: () => ({}) },
  endSession: { outcome: "not_found", input: () => ({ session_id: "of-somebody-else" }) },
  createTeam: { outcome: "done", input: () => ({ name: unguessable("team") }) },
  listMembers: { outcome: READERS, input: ofTeam },
  addMember: {
    outcome: KEEPERS,
    async input(of) {
      const { name } = await served.world.service.credentials.ensureOwner("user", unguessable("guest"));
      return { ...ofTeam(of), user_name: name, role: "viewer" };
    },
  },
  inviteMember: {
    outcome: KEEPERS,
    input: (of) => ({ ...ofTeam(of), user_name: unguessable("new"), role: "viewer" }),
  },
  withdrawInvitation: {
    outcome: KEEPERS,
    async input(of) {
      const user_name = unguessable("guest");
      const { teams } = served.world.service;
      await teams.invite(of.teamId, { userName: user_name, role: "viewer", invitedBy: of.keeper.id });
      return { ...ofTeam(of), user_name };
    },
  },
  listInvitations: { outcome: "done", input: () => ({}) },
  acceptInvitation: { outcome: "not_found", input: ofTeam },
  declineInvitation: { outcome: "not_found", input: ofTeam },
  reviewLeaving: { outcome: READERS, input: ofTeam },
  // Nobody here is the last member.
  leaveTeam: {
    outcome: ["plan_changed", "plan_changed", "plan_changed", "not_found"],
    input: (of) => ({ ...ofTeam(of), outcome: "closes" }),
  },
  // Nobody but an owner decides about an owner, nor makes one.
  setMemberRole: {
    outcome: ["role_forbidden", "role_forbidden", "role_forbidden", "not_found"],
    input: (of, me) => ({ ...ofTeam(of), user_id: me.id, role: "owner" }),
  },
  removeMember: {
    outcome: ["role_forbidden", "role_forbidden", "role_forbidden", "not_found"],
    input: (of) => ({ ...ofTeam(of), user_id: of.keeper.id }),
  },
  listAgents: { outcome: "done", input: () => ({}) },
  // To let an agent in to a team one has to be of it; what it may do there is decided by the role, at each request.
  reviewAgent: {
    outcome: "done",
    input: async (of) => ({ ...approval, ...ofTeam(of), code: await waiting() }),
  },
  approveAgent: {
    outcome: READERS,
    input: async (of) => ({ ...approval, ...ofTeam(of), code: await waiting() }),
  },
  denyAgent: { outcome: "not_found", input: () => ({ code: "0000-0000-0000" }) },
  revokeAgent: { outcome: "not_found", input: () => ({ agent_id: "agent_of_somebody_else" }) },
  listCredentials: { outcome: KEEPERS, input: ofTeam },
  createCredential: { outcome: KEEPERS, input: (of) => ({ ...key, ...ofTeam(of), is_teams: true }) },
  rotateCredential: {
    outcome: KEEPERS,
    async input({ teamId }) {
      const { credential } = await served.world.service.credentials.issue({
        kind: "api_key",
        ownerId: teamId,
        name: "to be replaced",
        scopes: ["memory:read"],
        space: { teamId: null, projects: null, pathPrefix: null, buckets: null },
        expiresAt: null,
      });
      return { credential_id: credential.tokenId };
    },
  },
  revokeCredential: { outcome: "not_found", input: ({ keepersKey }) => ({ credential_id: keepersKey }) },
  eraseOwner: {
    outcome: ["role_forbidden", "role_forbidden", "role_forbidden", "not_found"],
    input: ofTeam,
  },
  listProjects: { outcome: READERS, input: ofTeam },
  listRunItems: {
    outcome: READERS,
    input: (of) => ({ ...ofTeam(of), project_id: "apollo", run_id: of.runId }),
  },
  executeMaintenance: {
    outcome: ["role_forbidden", "role_forbidden", "plan_changed", "not_found"],
    input: (of) => ({
      ...ofTeam(of),
      project_id: "apollo",
      actions: ["archive_stale"],
      plan_hash: "0".repeat(64),
    }),
  },
  labCredentials: { outcome: "done", input: () => ({}) },
  labRecall: { outcome: LOOKERS, input: (of) => ({ query: "staging", as: of.key }) },
  labWhy: { outcome: LOOKERS, input: (of) => ({ query: "staging", as: of.key, memory_id: of.memory }) },
  listEvalSets: { outcome: READERS, input: ofTeam },
  addEvalQuestions: {
    outcome: WRITERS,
    input: (of) => ({ ...ofTeam(of), name: "x", questions: [{ query: "staging", relevant: [of.memory] }] }),
  },
  removeEvalQuestions: {
    outcome: ["role_forbidden", "not_found", "not_found", "not_found"],
    input: (of) => ({ ...ofTeam(of), name: "none" }),
  },
  figures: { outcome: READERS, input: ofTeam },
  alerts: { outcome: READERS, input: ofTeam },
  setAlerts: {
    outcome: KEEPERS,
    input: (of) => ({
      ...ofTeam(of),
      ...{ recall_p95: null, recall_coverage: null, open_conflicts: null, silent_agent: null },
    }),
  },
  serviceState: { outcome: READERS, input: ofTeam },
  attention: { outcome: READERS, input: ofTeam },
  rateUsage: { outcome: KEEPERS, input: ofTeam },
  catchUpIndex: { outcome: KEEPERS, input: ofTeam },
  listAudit: { outcome: KEEPERS, input: ofTeam },
  listRecalls: { outcome: KEEPERS, input: ofTeam },
  countRecalls: {
    outcome: KEEPERS,
    input: (of) => ({ ...ofTeam(of), after: "2026-01-01T00:00:00Z", before: "2026-01-02T00:00:00Z" }),
  },
  recallActivity: {
    outcome: KEEPERS,
    input: (of) => ({ ...ofTeam(of), after: "2026-01-01T00:00:00Z", before: "2026-01-02T00:00:00Z" }),
  },
  memoryRecalls: { outcome: "done", input: (of) => ({ memory_ids: [of.memory] }) },
  // Filters by a team: whoever is not of it finds nothing.
  listMemories: { outcome: "done", input: ofTeam },
  searchMemories: { outcome: "done", input: (of) => ({ ...ofTeam(of), query: "staging" }) },
  browsePaths: { outcome: "done", input: ofTeam },
  memoryFacets: { outcome: "done", input: ofTeam },
  memoryRelations: { outcome: READERS, input: (of) => ({ memory_id: of.memory }) },
  // It searches where the person may erase; a person's own space always is.
  eraseSubject: { outcome: "done", input: () => ({ terms: ["staging database"] }) },
  subjectErasures: { outcome: "done", input: () => ({}) },
  stopSubjectErasure: { outcome: "not_found", input: (of) => ({ erasure_id: of.key }) },
  deleteMatching: {
    outcome: ["role_forbidden", "done", "done", "done"],
    input: (of) => ({ filter: ofTeam(of), mode: "soft_delete" }),
  },
  restoreMemories: { outcome: "done", input: (of) => ({ memory_ids: [of.memory] }) },
  ...ofEndUsers,
};

const outcomeFor = (outcome: Outcome, role: Role): string =>
  typeof outcome === "string" ? outcome : (outcome[ROLES.indexOf(role)] as string);

/** What the service answers to the session of that browser, asked past what its pages offer. */
async function askedDirectly(page: Page, procedure: string, input: object) {
  const text = await page.evaluate(
    async ([at, body]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`/trpc/${at}`, { method: "POST", headers, body: body as string })).text();
    },
    [procedure, JSON.stringify(input)],
  );
  const { error } = JSON.parse(text) as { error?: { data: { code: string } } };
  return { code: error?.data.code ?? "done", text };
}

/** Somebody in that role, signed in, at home. */
async function somebody(role: Role): Promise<{ page: Page; owner: Owner }> {
  const page = await silentPage(browser, /40[34]|409|412|422/);
  const { owner } = await setUp(page, served);
  if (role !== "stranger") await served.world.service.teams.add(crew.teamId, owner.id, role);
  await page.goto(`${served.url}/admin/own`);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  return { page, owner };
}

/** Operations that only a session can call, or that it may ask for more of than a key. */
const ofSessions = Object.values(everyOperation)
  .filter((operation) => {
    const { kinds, session } = operation as { kinds?: readonly string[]; session?: object };
    return kinds?.includes("session") || session !== undefined;
  })
  .map(({ name }) => name);

test.each(ROLES)(
  "a %s is answered every operation as the role allows, and refused the rest",
  async (role) => {
    expect(Object.keys(asked).sort()).toEqual(ofSessions.sort());
    const { page, owner } = await somebody(role);
    const [answered, expected] = [new Map<string, string>(), new Map<string, string>()];
    const told: string[] = [];
    for (const [name, { outcome, input }] of Object.entries(asked)) {
      const { code, text } = await askedDirectly(page, name, await input(crew, owner));
      answered.set(name, code);
      expected.set(name, outcomeFor(outcome, role));
      if (text.includes(OF_THE_CREW)) told.push(name);
    }
    expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(expected));
    // Whoever is of the team reads what is in it, so that the silence to a stranger says something.
    if (role === "stranger") expect(told).toEqual([]);
    else expect(told).toContain("listMemories");
  },
  120_000,
);

/** What changes something, by page: who is offered it. */
const offers: readonly {
  readonly at: string;
  readonly ready: string | RegExp;
  readonly member?: readonly RegExp[];
  readonly admin?: readonly RegExp[];
}[] = [
  { at: "", ready: "Needs attention", member: [/^Add memory$/] },
  { at: "memories", ready: /newest first/, member: [/^Add memory$/] },
  { at: "memories?id=MEMORY", ready: "Where it comes from", member: [/^Edit$/, /^Forget this memory$/] },
  { at: "projects/apollo?tab=todos", ready: /todo/i, member: [/^Add a todo$/] },
  { at: "projects/apollo?tab=decisions", ready: /decision/i, member: [/^Propose a decision$/] },
  { at: "projects/apollo?tab=maintenance", ready: /maintain|settings/i, admin: [/^Save the settings$/] },
  { at: "reminders", ready: "Renew the certificate", member: [/^Complete/] },
  { at: "access", ready: "Who has access", admin: [/^Invite a person$/] },
  { at: "access/person/BYSTANDER", ready: "Member since", admin: [/^Remove from the team/] },
  { at: "service/indexes", ready: "Vectors of this workspace", admin: [/^Embed what is missing$/] },
  { at: "service/transfer", ready: "Export the memories", member: [/^Import the memories$/] },
];

test.each(["viewer", "member", "admin"] as const)(
  "a %s is offered on each page what the role allows, and nothing else that changes something",
  async (role) => {
    const { page } = await somebody(role);
    const rank = ["viewer", "member", "admin"].indexOf(role);
    const [seen, expected] = [new Map<string, boolean>(), new Map<string, boolean>()];
    for (const { at, ready, member = [], admin = [] } of offers) {
      await page.goto(
        `${served.url}/admin/${crew.teamId}/${at.replace("MEMORY", crew.memory).replace("BYSTANDER", crew.bystander)}`,
      );
      await page.getByRole("main").getByText(ready).first().waitFor();
      await settled(page);
      for (const [needed, names] of [
        [1, member],
        [2, admin],
      ] as const)
        for (const name of names) {
          const what = `${at} ${name}`;
          seen.set(what, (await page.getByRole("button", { name }).count()) > 0);
          expected.set(what, rank >= needed);
        }
    }
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(rank === 2 ? 1 : 0);
  },
  120_000,
);

test("a stranger who has the address of the team's page is shown nothing of it", async () => {
  const { page } = await somebody("stranger");
  for (const at of ["", "/memories", "/access", "/service/audit", "/projects/apollo"]) {
    await page.goto(`${served.url}/admin/${crew.teamId}${at}`);
    await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
    expect(await page.content()).not.toContain(OF_THE_CREW);
  }
});
