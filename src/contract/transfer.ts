import { z } from "zod";
import { normalForm } from "../recall/language/normal-form.ts";
import { agentStatus, registrationRequest, scopeName } from "./agent.ts";
import { userId } from "./end-user-member.ts";
import { settingMembers } from "./maintenance.ts";
import { content, liveStatuses, memoryScopes } from "./memory.ts";
import {
  bucket,
  instant,
  label,
  memoryType,
  storedPath,
  storedProjectId,
  storedPublicId,
  text,
  unitInterval,
  uuid,
} from "./primitives.ts";
import {
  actorTrusts,
  agentId,
  decisionStatuses,
  impactLevels,
  options,
  resolution,
  todoPriorities,
  todoStatuses,
} from "./project.ts";
import { redirectUri } from "./redirect-uri.ts";
import { teamRoles } from "./scope.ts";
import { storedMetadata, storedProvenance } from "./service-members.ts";
import { webhookSettings } from "./webhook.ts";

/**
 * The number of the export format. It rises when an older reader could no longer restore a file exactly. Older formats
 * are still read: 1 has only memories, without a `kind`; 2 has no webhooks; 3 has no OAuth clients.
 */
export const EXPORT_FORMAT = 4;

/** Every status a row can hold; `expired` is computed and never stored. */
const storedStatus = z.enum([...liveStatuses, "archived", "superseded", "soft_deleted", "redacted"]);

/** The name of an owner, without control characters or blanks at the ends. */
export const ownerName = text(1, 128)
  .overwrite((name) => normalForm(name, "NFC").trim())
  .refine((name) => name !== "" && !/\p{Cc}/u.test(name), {
    error: "must be 1 to 128 characters, without line breaks or other control characters",
  });

/** An owner, identified by name because its id may differ in another database. */
const principal = z.strictObject({ kind: z.enum(["user", "team"]), name: text(1, 1024) });
const owner = z
  .strictObject({
    kind: z.enum(["user", "team", "end_user"]),
    name: text(1, 1024),
    application: principal
      .optional()
      .meta({ description: "Of an end user: the user or team that its application belongs to" }),
  })
  .refine(({ kind, application }) => (kind === "end_user") === (application !== undefined), {
    path: ["application"],
    error: "is required for an end user, and for nobody else",
  })
  .refine(({ kind, name }) => kind !== "end_user" || userId.safeParse(name).success, {
    path: ["name"],
    error: "must be an end user's id: 1 to 128 of A-Z a-z 0-9 . _ : @ + -",
  });
export type OwnerRef = z.infer<typeof owner>;

const words = text(1, 256).nullable().default(null);
const compared = label(256).nullable().default(null);
const moment = instant.nullable().default(null);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits" });
/** A revision increases by one per change. Capped so that a file cannot exhaust the range. */
const revision = z
  .int()
  .min(1)
  .max(2 ** 40);

/** Members of a memory that its versions can change. Defaults are those of storing a memory. */
const state = {
  project_id: storedProjectId.nullable().default(null),
  path: storedPath,
  bucket: bucket.default("public"),
  memory_type: memoryType.default("semantic"),
  status: storedStatus.default("active"),
  restore_status: storedStatus
    .nullable()
    .default(null)
    .meta({ description: "What it was before a soft delete" }),
  content,
  semantic_key: compared,
  version: z.int().min(1).max(2_147_483_647).default(1),
  superseded_by: storedPublicId.nullable().default(null),
  superseded_at: moment,
  superseded_by_key: z
    .boolean()
    .default(false)
    .meta({ description: "Whether a newer memory of its semantic key superseded it" }),
  superseded_status: z
    .enum(liveStatuses)
    .nullable()
    .default(null)
    .meta({ description: "Status before it was superseded, and again from superseded_until on" }),
  superseded_until: moment,
  fact_version: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .nullable()
    .default(null)
    .meta({ description: "Highest version that its fact has had in memories that no longer state it" }),
  importance: unitInterval.default(0.5),
  confidence: unitInterval.default(1),
  source: words,
  logic_path: text(1, 512).nullable().default(null),
  metadata: storedMetadata.default({}),
  provenance: storedProvenance.default({}),
  session_id: compared,
  agent_id: compared,
  agent_instance_id_hash: words,
  occurred_at: moment,
  due_at: instant.nullable().optional().meta({ description: "Default: the metadata's due_at" }),
  updated_at: instant,
  expires_at: moment,
  item_status: z
    .enum([...todoStatuses, ...decisionStatuses])
    .nullable()
    .default(null)
    .meta({ description: "Of a todo or decision" }),
  item_agent: compared.meta({ description: "The agent that accepted the todo, otherwise its assignee" }),
};
/** State of a memory at one time. */
export type ExportedState = z.infer<z.ZodObject<typeof state>>;

/** Members that todos and decisions share. */
const itemState = {
  due_at: moment,
  source_memory_id: storedPublicId.nullable().default(null),
  extra: storedMetadata.default({}).meta({
    description: "The caller's own metadata; if the item was adopted, also the members that adoption removed",
  }),
};

const note = text(0, 65_536).nullable().default(null);

const exportedTodo = z
  .strictObject({
    kind: z.literal("todo"),
    content,
    status: z.enum(todoStatuses),
    priority: z.enum(todoPriorities),
    assignee: agentId.nullable().default(null),
    accepted_by: agentId.nullable().default(null),
    blocked_from: z.enum(["open", "assigned", "accepted"]).nullable().default(null),
    blocked_reason: note,
    ended_at: moment,
    end_note: note,
    ...itemState,
  })
  .superRefine(({ status, blocked_from, ended_at, accepted_by, assignee }, context) => {
    const isEnded = status === "completed" || status === "cancelled";
    const agrees = {
      blocked_from: (status === "blocked") === (blocked_from !== null),
      ended_at: isEnded === (ended_at !== null),
      accepted_by: status !== "accepted" || accepted_by !== null,
      assignee: status !== "assigned" || assignee !== null,
    };
    for (const [name, isSo] of Object.entries(agrees))
      if (!isSo) context.addIssue({ code: "custom", path: [name], message: "must agree with the status" });
  });

const exportedDecision = z
  .strictObject({
    kind: z.literal("decision"),
    context: content,
    options: options.default([]),
    impact_level: z.enum(impactLevels).nullable().default(null),
    status: z.enum(decisionStatuses),
    proposed_by: agentId.nullable().default(null),
    resolution: resolution.nullable().default(null),
    resolved_by: agentId.nullable().default(null),
    resolved_at: moment,
    ...itemState,
  })
  .superRefine(({ status, resolution: resolved, resolved_at }, context) => {
    if (status !== "resolved" || (resolved !== null && resolved_at !== null)) return;
    const missing = resolved === null ? "resolution" : "resolved_at";
    context.addIssue({ code: "custom", path: [missing], message: "must agree with the status" });
  });

/** A line of an audit trail. */
const exportedEvent = z.strictObject({
  at: instant,
  operation: text(1, 64),
  from: words,
  to: text(1, 256),
  actor: z.strictObject({
    agent_id: agentId.nullable(),
    token_kind: text(1, 64),
    trust: z.enum(actorTrusts),
  }),
  note,
});

/** An earlier state of a memory. */
export const exportedVersion = z.strictObject({
  ...state,
  owner: owner.nullable().optional().meta({
    description:
      "Owner at that time, if it was not the current one. Null: an owner that is not in the file; the content is omitted",
  }),
  revision: revision
    .optional()
    .meta({ description: "Position among the memory's states. Default: counted from 1" }),
  valid_to: instant,
  reason: text(1, 1024).nullable().default(null),
});
export type ExportedVersion = z.infer<typeof exportedVersion>;

const versions = z.array(exportedVersion).max(10_000);

/** A memory with everything needed to restore it exactly. Vectors are not included. */
const exportedMemory = z
  .strictObject({
    kind: z.literal("memory").default("memory"),
    memory_id: storedPublicId,
    owner: owner.optional().meta({
      description: "Required unless the import names an owner. A team's memories have the scope team",
    }),
    author: owner
      .nullable()
      .default(null)
      .meta({ description: "Whose credential wrote it; null: the owner's" }),
    author_trust: z.enum(actorTrusts).optional().meta({
      description: "How far the author is vouched for; token_bound: its agent's own credential wrote it",
    }),
    scope: z.enum(memoryScopes).optional().meta({ description: "Follows from the owner; may be left out" }),
    ...state,
    updated_at: instant.optional().meta({ description: "created_at unless given" }),
    created_at: instant,
    create_hash: sha256.nullable().default(null).meta({
      description: "Hash of the request that created it, used to recognise repeats of that request",
    }),
    dedupe_hash: sha256
      .nullable()
      .optional()
      .meta({ description: "Hash of the members that dedupe compares. Default: recomputed" }),
    revision: revision.optional().meta({ description: "Default: the number of versions plus one" }),
    item: z
      .discriminatedUnion("kind", [exportedTodo, exportedDecision])
      .nullable()
      .default(null)
      .meta({ description: "Of a todo or decision: its state" }),
    trail: z.array(exportedEvent).default([]).meta({ description: "What was done with it, oldest first" }),
    feedback: z
      .array(z.strictObject({ at: instant, helpful: z.boolean() }))
      .default([])
      .meta({ description: "What callers said of it when it was recalled" }),
    versions: versions.default([]).meta({
      description: "Its most recent earlier states, oldest first. Older ones follow in lines of their own",
    }),
  })
  .superRefine((line, context) => {
    const isTeam = line.owner?.kind === "team";
    if (line.owner && line.scope && isTeam !== (line.scope === "team")) {
      context.addIssue({
        code: "custom",
        path: ["scope"],
        message: "must be team for a team's memory and private for a user's",
      });
    }
    requireItem(line, context);
    requireOrder(line.versions, line.revision ?? Number.POSITIVE_INFINITY, context);
  })
  .meta({ id: "ExportedMemory" });

/**
 * A todo or decision belongs to a project. `item_status` is the item's status, or null if the memory is deleted or
 * redacted.
 */
function requireItem(
  {
    item,
    status,
    project_id,
    item_status,
    trail,
  }: {
    readonly item: { readonly status: string } | null;
    readonly status: string;
    readonly project_id: string | null;
    readonly item_status: string | null;
    readonly trail: readonly unknown[];
  },
  context: z.RefinementCtx,
): void {
  const fault = (name: string, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  if (item !== null && project_id === null) fault("project_id", "is required for a todo or decision");
  const isRemoved = status === "soft_deleted" || status === "redacted";
  if (item_status !== ((isRemoved ? null : item?.status) ?? null))
    fault("item_status", "must be the item's status, or null if the memory is deleted or redacted");
  if (item === null && trail.length > 0) fault("trail", "goes with a todo or decision only");
}

function requireOrder(
  list: readonly { readonly revision?: number | undefined }[],
  before: number,
  context: z.RefinementCtx,
): void {
  let last = 0;
  for (const [at, version] of list.entries()) {
    const next = version.revision ?? last + 1;
    if (next <= last || next >= before)
      context.addIssue({
        code: "custom",
        path: ["versions", at, "revision"],
        message: "must rise, and stay below the memory's",
      });
    last = next;
  }
}

/** More earlier states of a memory with very many versions. Follows the memory's own line. */
const exportedVersions = z
  .strictObject({
    kind: z.literal("versions"),
    owner: owner.optional(),
    memory_id: storedPublicId,
    versions: z.array(exportedVersion.extend({ revision })).min(1).max(10_000),
  })
  .superRefine((line, context) => requireOrder(line.versions, Number.POSITIVE_INFINITY, context));

const ownerId = uuid.optional().meta({
  description: "Kept if neither the name nor the id is taken; otherwise only the name identifies the owner",
});

const exportedUser = z.strictObject({
  kind: z.literal("user"),
  name: text(1, 1024),
  id: ownerId,
  created_at: instant,
});

const exportedTeam = z.strictObject({
  kind: z.literal("team"),
  name: text(1, 1024),
  id: ownerId,
  created_at: instant,
  members: z
    .array(z.strictObject({ user: text(1, 1024), role: z.enum(teamRoles), since: instant }))
    .refine((members) => new Set(members.map(({ user }) => user)).size === members.length, {
      error: "must not name a user twice",
    })
    .default([]),
});

/** An agent's record. Credentials are not exported, so a restored agent is always revoked, denied or expired. */
const exportedAgent = z.strictObject({
  kind: z.literal("agent"),
  id: z.string().regex(/^agent_[0-9a-f-]{36}$/, { error: "must be the id of an agent" }),
  status: agentStatus.extract(["revoked", "denied", "expired"]),
  client: registrationRequest.extend({ project_id: storedProjectId.nullish() }).nullable(),
  address: text(1, 256).nullable().default(null),
  requested_at: instant,
  expires_at: moment,
  ended_at: moment,
  approval: z
    .strictObject({
      by: text(1, 1024).meta({ description: "The user's name" }),
      at: instant,
      scopes: z.array(scopeName),
      team: text(1, 1024).nullable(),
      projects: z.array(storedProjectId).nullable(),
    })
    .nullable()
    .default(null),
});

const name200 = text(0, 200).nullable().default(null);
const pageAddress = text(0, 2048)
  .refine((uri) => /^https?:\/\//i.test(uri), { error: "must be an http or https address" })
  .nullable()
  .default(null);
const labels = z.array(text(1, 200)).max(50).nullable().default(null);

/**
 * An OAuth client's registration. Grants are not exported, so each person is asked for consent again after an import.
 */
const exportedClient = z.strictObject({
  kind: z.literal("client"),
  client_id: text(1, 256).refine((id) => !/^\s*https?:/i.test(id), {
    error: "must not be a URL: a client whose id is a URL is described by the document there",
  }),
  client_secret_hash: text(1, 256).nullable().default(null),
  redirect_uris: z.array(redirectUri).min(1).max(20),
  client_name: name200,
  client_uri: pageAddress,
  logo_uri: pageAddress,
  tos_uri: pageAddress,
  policy_uri: pageAddress,
  software_id: name200,
  software_version: name200,
  application_type: name200,
  token_endpoint_auth_method: name200,
  grant_types: labels,
  response_types: labels,
  scopes: labels,
  created_at: instant,
});

/**
 * Dependencies of a todo, or the decision that a decision replaced. Written after all memories, since it may refer to
 * any in its workspace.
 */
const exportedLinks = z.strictObject({
  kind: z.literal("links"),
  owner: owner.optional(),
  id: storedPublicId,
  depends_on: z
    .array(storedPublicId)
    .max(1000)
    .refine((ids) => new Set(ids).size === ids.length, { error: "must not name a todo twice" })
    .default([]),
  supersedes: storedPublicId.nullable().default(null),
});

/** Settings of a project's maintenance. Nothing runs by itself after an import until it is scheduled again. */
const exportedSettings = z.strictObject({
  kind: z.literal("settings"),
  owner: owner.optional(),
  project_id: storedProjectId,
  ...settingMembers,
  updated_at: instant,
  updated_by: agentId,
  next_run_at: moment,
});

/** Proof of a permanent removal. */
const exportedReceipt = z.strictObject({
  kind: z.literal("receipt"),
  owner: owner.optional(),
  id: uuid,
  digest: sha256,
  removed: z.record(text(1, 64), z.int().min(0)),
  remaining: z.array(storedPublicId),
  created_at: instant,
  confirmed_at: moment.meta({
    description:
      "Null: the removal is not yet complete everywhere. An import sets it to the time of the import",
  }),
});

/** A webhook without its secret. After an import it is suspended and has a new secret that was never shown. */
const exportedWebhook = z.strictObject({
  kind: z.literal("webhook"),
  owner: owner.optional(),
  id: uuid,
  url: webhookSettings.url,
  description: webhookSettings.description.default(null),
  subjects: webhookSettings.subjects.default(null),
  project_id: storedProjectId.nullable().default(null),
  end_users: z.boolean().default(false),
  enabled: z.boolean(),
  created_at: instant,
});

/** Any line of an export except the header. Kinds are listed in the order in which an export writes them. */
export const exportedLine = z.discriminatedUnion("kind", [
  exportedUser,
  exportedTeam,
  exportedAgent,
  exportedClient,
  exportedMemory,
  exportedVersions,
  exportedLinks,
  exportedSettings,
  exportedWebhook,
  exportedReceipt,
]);
export type ExportedLine = z.infer<typeof exportedLine>;
export type ExportKind = ExportedLine["kind"];
export type LineOf<Kind extends ExportKind> = Extract<ExportedLine, { readonly kind: Kind }>;

/** The first line of an export. */
export const exportHeader = z.object({
  recollect_export: z.int(),
  exported_at: instant.optional(),
  version: text(1, 64).optional().meta({ description: "Of the service that wrote it" }),
  count: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "Number of lines that follow. If there are fewer, the file was truncated" }),
});
export type ExportHeader = z.infer<typeof exportHeader>;
