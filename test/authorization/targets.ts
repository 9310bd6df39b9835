import type { TokenKind } from "../../src/contract/credential.ts";
import type { Scope } from "../../src/contract/scope.ts";
import type { Owner, TokenSpace } from "../../src/core/access/credential.ts";
import { memory, unguessable } from "../support/acting.ts";
import { clientOf, type HttpClient } from "../support/http-client.ts";
import { sessionOf } from "../support/trpc.ts";
import { everyScope, openWorld, type World } from "../support/world.ts";
import { type Cell, ORDINARY } from "./cells.ts";
import type { Rules } from "./rules.ts";

/** A memory that requests are about. It is made anew under the same id when one of them has changed it. */
export interface Target {
  /** Of a todo or decision another one each time it is made anew: their ids are the service's. */
  memoryId: string;
  readonly item: "memory" | "todo" | "decision";
  readonly ownerId: string;
  readonly path: string;
  readonly bucket: string;
  readonly memoryType: string;
  /** A word of its content to search by. */
  readonly word: string;
  /** A word of its content that no request has: whoever is answered it was shown the memory. */
  readonly secret: string;
  /** Of something of the same owner that was deleted for good, by another credential. */
  readonly receiptId: string;
  readonly state: "active" | "soft_deleted" | "archived" | "blocked" | "resolved";
  /** Of the run of maintenance that archived it. */
  runId: string;
  /** Sees and does everything with it. */
  readonly keeper: HttpClient;
  /** Removes it for good, where its owner cannot. */
  readonly remove: () => Promise<void>;
  /** Names it in an evaluation set of its owner, whose name is `word`. */
  readonly addToEvalSet: () => Promise<void>;
}

export const UNCONFINED: TokenSpace = { teamId: null, projects: null, pathPrefix: null, buckets: null };

interface Issue {
  readonly kind: TokenKind;
  readonly owner: Owner;
  readonly scopes?: readonly Scope[];
  readonly space?: Partial<TokenSpace>;
}

/** A world for targets: each combination has a credential of its own, so one owner has thousands. */
export function openWorldOfTargets(): Promise<World> {
  return openWorld({ OWNER_CREDENTIALS_MAX: "100000" });
}

/** The owners of a world in which each relation of the page is there: one user, in a team for each role. */
export async function openTargets(world: World, rules: Rules) {
  const { credentials, sql } = world.service;
  const owner = (kind: Owner["kind"], name: string) => credentials.ensureOwner(kind, unguessable(name));
  const user = await owner("user", "user");
  /** Of the user's application. */
  const endUser = (name: string) => world.service.ports.endUsers.ensure(user.id, unguessable(name));
  const otherUser = await owner("user", "other-user");
  const otherTeam = await owner("team", "other-team");
  const teams = new Map<string, Owner>();
  for (const role of rules.roles.keys) {
    const team = await owner("team", role);
    teams.set(role, team);
    await sql`insert into team_members (team_id, user_id, role) values (${team.id}, ${user.id}, ${role})`;
  }
  const holders = new Map([
    ["user", user],
    ["team", await owner("team", "holder")],
    ["quarantine", await owner("agent", "quarantine")],
    ["end user", await endUser("ada")],
  ]);
  const otherEndUser = await endUser("bob");

  async function issue({ kind, owner, scopes = everyScope, space = {} }: Issue): Promise<string> {
    if (kind === "session") return sessionOf(world, owner);
    const agentId = kind.startsWith("agent_") ? await agentOf(world, kind, owner, user) : null;
    const { secret } = await credentials.issue({
      kind,
      ownerId: owner.id,
      name: null,
      scopes,
      space: { ...UNCONFINED, ...space },
      expiresAt: null,
      agentId,
    });
    return secret;
  }

  const ownerOf = ({ holder, relation }: Cell): Owner => {
    const found = {
      own: holders.get(holder),
      "own team": teams.get(relation.role ?? ""),
      // Nothing is nearer to an end user than what its application has.
      "another user's": holder === "end user" ? user : otherUser,
      "another team's": otherTeam,
      "an end user's": otherEndUser,
    }[relation.whose];
    if (!found) throw new Error(`nobody is ${relation.whose} of a ${holder}`);
    return found;
  };

  function spaceOf(cell: Cell): Partial<TokenSpace> {
    const { confinement, isInside } = cell.position;
    const name = isInside ? "in" : "out";
    const someOtherTeam = cell.relation.role === "owner" ? teams.get("admin") : teams.get("owner");
    const spaces: Record<string, Partial<TokenSpace>> = {
      nothing: {},
      projects: { projects: [name] },
      "path prefix": { pathPrefix: name },
      buckets: { buckets: [name] },
      team: { teamId: isInside ? ownerOf(cell).id : (someOtherTeam?.id ?? null) },
    };
    const space = spaces[confinement];
    if (!space) throw new Error(`no credential is confined to ${confinement}`);
    return space;
  }

  const kept = new Map<string, Promise<HttpClient>>();
  const keeperOf = (owner: Owner) =>
    once(kept, owner.id, async () => {
      const kind = KEPT_BY[owner.kind];
      return clientOf("http://localhost", await issue({ kind, owner }), world.handle);
    });

  const targets = new Map<string, Promise<Target>>();
  const secrets = new Map<string, Promise<string>>();
  return {
    user,
    holders,
    teams,
    otherUser,
    otherTeam,
    issue,
    spaceOf,
    /** The memory that a cell is about. */
    target: (cell: Cell) => {
      const state = STATES[cell.rule.operation] ?? "active";
      const item = itemOf(cell);
      const owner = ownerOf(cell);
      return once(targets, [cell.holder, owner.id, cell.subject, item, state].join(), async () =>
        create(world, await keeperOf(owner), owner, { subject: cell.subject, item, state }),
      );
    },
    /** A credential as a cell describes it. */
    secret(cell: Cell): Promise<string> {
      const space = spaceOf(cell);
      const owner = holders.get(cell.holder);
      if (!owner) throw new Error(`nobody is a ${cell.holder}`);
      const key = JSON.stringify([cell.kind, cell.holder, cell.scopes, space]);
      const { kind, scopes } = cell as Cell & { kind: TokenKind; scopes: readonly Scope[] };
      return once(secrets, key, () => issue({ kind, owner, scopes, space }));
    },
  };
}

/** The kind of credential that sees and does everything with what an owner has. */
const KEPT_BY = {
  user: "api_key",
  team: "api_key",
  agent: "agent_temporary",
  end_user: "end_user",
} as const satisfies Record<Owner["kind"], TokenKind>;

export type Targets = Awaited<ReturnType<typeof openTargets>>;

/** What must be with a memory before the operation can be. */
const STATES: Readonly<Record<string, Target["state"]>> = {
  restoreMemory: "soft_deleted",
  restoreTodo: "soft_deleted",
  restoreDecision: "soft_deleted",
  undoMaintenanceRun: "archived",
  unblockTodo: "blocked",
  reopenDecision: "resolved",
};

function itemOf({ rule }: Cell): Target["item"] {
  if (rule.actsOn.includes("todo")) return "todo";
  return rule.actsOn.includes("decision") ? "decision" : "memory";
}

function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

/** The agent behind a token: bound to the user, or still waiting for one. */
async function agentOf(
  { service: { sql } }: World,
  kind: TokenKind,
  owner: Owner,
  user: Owner,
): Promise<string> {
  const isBound = kind === "agent_formal";
  const id = unguessable("agent_");
  // A quarantine without an agent is swept, and may be by now.
  await sql`
    with kept as (
      insert into owners (id, kind, name) values (${owner.id}, ${owner.kind}, ${owner.name}) on conflict do nothing
    )
    insert into agents (id, status, claim_hash, quarantine_id, client, requested_at, expires_at,
                        approved_at, approved_by, granted_scopes)
    values (${id}, ${isBound ? "bound" : "pending"}, decode(md5(${id}), 'hex'), ${isBound ? null : owner.id},
            '{"entry_type": "test", "client_name": "A test", "installation_fingerprint": "test"}', now(),
            ${isBound ? null : sql`now() + interval '1 day'`}, ${isBound ? sql`now()` : null},
            ${isBound ? user.id : null}, ${isBound ? everyScope : null})`;
  return id;
}

async function create(
  { service: { sql } }: World,
  keeper: HttpClient,
  owner: Owner,
  { subject, item, state }: { subject: string } & Pick<Target, "item" | "state">,
): Promise<Target> {
  const memoryId = unguessable("m");
  const [kind, name] = subject === ORDINARY ? [] : subject.split(" ");
  const removed = await keeper.post("/v1/memories", memory({ content: "Gone." }));
  const gone = await keeper.delete(`/v1/memories/${removed.body.id}?mode=hard_delete`);
  const target: Target = {
    memoryId,
    item,
    ownerId: owner.id,
    path: `in/${memoryId}`,
    bucket: kind === "bucket" ? (name as string) : "in",
    // A reminder can do all that another memory can, and be completed.
    memoryType: kind === "memory_type" ? (name as string) : "reminder",
    word: unguessable("word"),
    secret: unguessable("secret"),
    receiptId: gone.body.receipt.id,
    state,
    runId: "",
    keeper,
    async remove() {
      await sql`delete from memories where owner_id = ${owner.id} and memory_id = ${target.memoryId}`;
    },
    async addToEvalSet() {
      await sql`
        insert into eval_questions (id, owner_id, set_name, asked, relevant, stale)
        select gen_random_uuid(), owner_id, ${target.word}, '{"query": "asked"}', array[id], '{}' from memories
        where owner_id = ${owner.id} and memory_id = ${memoryId}
        on conflict (owner_id, set_name, asked) do update set relevant = excluded.relevant`;
    },
  };
  await makeAnew(target);
  return target;
}

/** The memory as it was at first, whatever has become of it. */
export async function makeAnew(target: Target): Promise<void> {
  if (target.item !== "memory") return makeItemAnew(target);
  const { keeper, memoryId, path, bucket, memoryType, word, secret, state } = target;
  await keeper.delete(`/v1/memories/${memoryId}?mode=hard_delete`);
  const made = await keeper.post("/v1/memories", {
    memory_id: memoryId,
    content: `The ${word} is ${secret}.`,
    path,
    bucket,
    memory_type: memoryType,
    // Due for maintenance, too.
    metadata: { due_at: "2030-01-01T00:00:00Z", review_after: "2020-01-01T00:00:00Z" },
    provenance: { project_id: "in" },
  });
  if (made.status !== 201) throw new Error(`the target was not made: ${JSON.stringify(made.body)}`);
  await target.addToEvalSet();
  if (state === "soft_deleted") await keeper.delete(`/v1/memories/${memoryId}`);
  if (state === "archived") {
    const selection = { actions: ["archive_stale"], target_ids: [memoryId] };
    const run = await keeper.post("/v1/projects/in/maintenance/execute", selection);
    target.runId = run.body.run_id;
  }
}

async function makeItemAnew(target: Target): Promise<void> {
  const { keeper, item, path, bucket, word, secret, state } = target;
  await target.remove();
  const words = `The ${word} is ${secret}.`;
  const base = `/v1/projects/in/${item}s`;
  const made = await keeper.post(base, { [item === "todo" ? "content" : "context"]: words, path, bucket });
  if (made.status !== 200) throw new Error(`the target was not made: ${JSON.stringify(made.body)}`);
  target.memoryId = made.body[`${item}_id`];
  if (state === "soft_deleted") await keeper.delete(`${base}/${target.memoryId}`);
  if (state === "blocked") await keeper.post(`${base}/${target.memoryId}/block`, { reason: "a reason" });
  if (state === "resolved") await keeper.post(`${base}/${target.memoryId}/resolve`, { resolution: "So." });
}

/** What the record has of a target: its state as those who may change it would see it. */
export async function recorded(
  { service: { sql } }: World,
  { ownerId, memoryId }: Pick<Target, "ownerId" | "memoryId">,
) {
  const [row] = await sql`
    select m.status, m.revision, (select count(*)::int from memory_versions where memory = m.id) as versions
    from memories m where m.owner_id = ${ownerId} and m.memory_id = ${memoryId}`;
  return row
    ? { status: row.status as string, revision: Number(row.revision), versions: row.versions }
    : null;
}
