/** Access that a person manages in the admin UI: agents waiting for approval, and credentials of every kind. */
import { z } from "zod";
import { agentStatus, SKILL_TOKEN_DAYS_MAX } from "./agent.ts";
import { PROJECTS_MAX } from "./agent-approval.ts";
import { tokenKind } from "./credential.ts";
import { OVERLAP_SECONDS, OVERLAP_SECONDS_MAX, rotateKeyAnswer } from "./key.ts";
import { bucket, path, projectId, publicId, text, time, uuid } from "./primitives.ts";
import { grantableScopes, type Scope, scopes } from "./scope.ts";

const read = { effect: "read", rate: "read" } as const;
const write = { effect: "write", rate: "write" } as const;

const scopeList = z.array(z.enum(Object.keys(scopes) as [Scope, ...Scope[]]));
const approvedProjects = z.array(projectId).min(1).max(PROJECTS_MAX);
const chosenScopes = z.array(z.enum(grantableScopes as [Scope, ...Scope[]])).max(32);
const granted = chosenScopes.min(1);

const claimCode = text(1, 128).meta({ description: "The code that the agent displays" });

/** The access chosen so far. */
const approval = {
  code: claimCode,
  scopes: granted,
  team_id: uuid.nullish().meta({
    description: "Give access only to this team. Default: your own memories and those of all your teams",
  }),
  projects: approvedProjects
    .nullish()
    .meta({ description: "Give access only to these projects. Default: all" }),
};

const writtenKind = z.enum(["memory", "todo", "decision"]);

/** Maximum number of an agent's texts in a review, and maximum length of each. Texts that would move come first. */
export const TEXTS_MAX = 50;
export const TEXT_CHARACTERS_MAX = 400;

const credential = z.object({
  id: uuid,
  kind: tokenKind,
  name: z.string().nullable(),
  hint: z.string().meta({ description: "The first characters of the secret" }),
  scopes: scopeList,
  team_id: uuid.nullable(),
  projects: z.array(z.string()).nullable(),
  path_prefix: z.string().nullable(),
  buckets: z.array(z.string()).nullable(),
  agent_id: publicId.nullable(),
  state: z.enum(["valid", "expired", "revoked"]),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  last_used_at: time.nullable(),
});

/** Longest lifetime of a key that expires, in days. A key without expiry is possible too. */
const KEY_DAYS_MAX = 3650;

export const sessionAccessOperations = {
  listAgents: {
    ...read,
    summary: "The agents that the account's user approved, newest first",
    input: z.object({}),
    output: z.object({
      agents: z.array(
        z.object({
          agent_id: publicId,
          status: agentStatus,
          trust_level: z.int().meta({ description: "0 temporary, 2 bound" }),
          client_name: z.string(),
          approved_at: time.nullable(),
          last_used_at: time.nullable(),
          scopes: scopeList,
          team_id: uuid.nullable(),
          projects: z.array(z.string()).nullable(),
        }),
      ),
    }),
    errors: [],
  },
  reviewAgent: {
    ...read,
    summary: "The agent waiting under a code, and which of its memories an approval would take over",
    input: z.object({ ...approval, scopes: chosenScopes }),
    output: z.object({
      agent_id: publicId,
      status: z.enum(["pending", "awaiting_confirmation"]),
      client_name: z.string(),
      client_version: z.string().nullable(),
      runtime: z.string().nullable(),
      entry_type: z.string(),
      project_id: z.string().nullable(),
      requested_at: time,
      expires_at: time,
      address: z.string().nullable(),
      groups: z.array(
        z.object({
          project_id: z.string().nullable(),
          words: z.string().meta({ description: "`3 memories`, `1 todo`" }),
          moves: z.boolean(),
        }),
      ),
      texts: z.array(
        z.object({
          kind: writtenKind,
          memory_type: z.string(),
          project_id: z.string().nullable(),
          path: z.string(),
          status: z.string(),
          beginning: z.string(),
          moves: z.boolean(),
        }),
      ),
      texts_left_out: z.int(),
      seen: z
        .string()
        .meta({ description: "Identifies what was shown here; send it back with the approval" }),
    }),
    errors: ["not_found", "conflict"],
  },
  approveAgent: {
    ...write,
    summary: "Approve an agent, taking over or discarding what it has written",
    input: z.object({
      ...approval,
      discards: z.boolean().default(false),
      seen: z.string().max(128).default("").meta({ description: "The `seen` of the review" }),
    }),
    output: z.object({
      agent_id: publicId,
      confirmation_token: z.string().meta({ description: "Shown only once; the agent must present it" }),
      expires_at: time,
    }),
    errors: ["not_found", "role_forbidden", "conflict", "precondition_failed"],
  },
  denyAgent: {
    ...write,
    summary: "Refuse an agent that is waiting",
    input: z.object({ code: claimCode }),
    output: z.object({ denied: z.literal(true) }),
    errors: ["not_found", "conflict"],
  },
  revokeAgent: {
    ...write,
    summary: "Revoke an agent of the account's user, with all its tokens",
    input: z.object({ agent_id: publicId }),
    output: z.object({ revoked: z.literal(true) }),
    errors: ["not_found"],
  },
  listCredentials: {
    ...read,
    summary: "The newest thousand credentials of the account's user, or of a team, without their secrets",
    input: z.object({ team_id: uuid.nullish() }),
    output: z.object({ credentials: z.array(credential) }),
    errors: ["not_found", "role_forbidden"],
  },
  createCredential: {
    ...write,
    summary: "Create a key or a skill token; its secret is shown only this once",
    input: z.object({
      kind: z.enum(["api_key", "skill"]),
      name: text(1, 128),
      scopes: granted,
      team_id: uuid.nullish().meta({ description: "Only this team" }),
      is_teams: z.boolean().default(false).meta({
        description: "Whether the key belongs to the team itself, independent of the person who creates it",
      }),
      projects: approvedProjects.nullish(),
      path_prefix: path.nullish(),
      buckets: z.array(bucket).min(1).max(100).nullish(),
      expires_in_days: z
        .int()
        .min(1)
        .max(KEY_DAYS_MAX)
        .nullish()
        .meta({
          description: `Default: never expires. A skill token lasts at most ${SKILL_TOKEN_DAYS_MAX} days`,
        }),
    }),
    output: z.object({ id: uuid, token: z.string(), expires_at: time.nullable() }),
    errors: ["not_found", "role_forbidden", "quota_exceeded"],
  },
  rotateCredential: {
    ...write,
    summary: "Replace a key; the new secret is shown only this once",
    input: z.object({
      credential_id: uuid,
      overlap_seconds: z.int().min(0).max(OVERLAP_SECONDS_MAX).default(OVERLAP_SECONDS),
    }),
    output: rotateKeyAnswer,
    errors: ["not_found", "role_forbidden", "conflict"],
  },
  revokeCredential: {
    ...write,
    summary: "Revoke a credential for good. An agent's ends the agent; a session's ends every session",
    input: z.object({ credential_id: uuid }),
    output: z.object({ revoked: z.literal(true) }),
    errors: ["not_found", "role_forbidden"],
  },
} as const;
