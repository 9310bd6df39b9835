import { z } from "zod";
import { tokenKind } from "./credential.ts";
import { bucket, jsonObject, path, projectId, publicId, text, time } from "./primitives.ts";
import { grantableScopes, type Scope, scopeAliases, scopeNamed } from "./scope.ts";

/** States of an agent: `pending` → `awaiting_confirmation` → `bound`, or one of the ends. */
export const agentStatuses = [
  "pending",
  "awaiting_confirmation",
  "bound",
  "denied",
  "expired",
  "revoked",
] as const;
export const agentStatus = z.enum(agentStatuses);
export type AgentStatus = z.infer<typeof agentStatus>;

const named = text(1, 256).nullish();

/** The name of one of `among`. Older names are accepted as input; output always has the current name. */
export function scopeNameAmong(among: readonly Scope[]) {
  return z
    .string()
    .refine((name) => among.some((scope) => scope === scopeNamed(name)), { params: { values: among } })
    .transform((name) => scopeNamed(name) as Scope)
    .meta({ enum: [...among, ...Object.keys(scopeAliases)] });
}

export const scopeName = scopeNameAmong(grantableScopes);

/** Scopes of an unbound agent. They apply only to its own quarantine. */
export const TEMPORARY_SCOPES = ["memory:read", "memory:write"] as const satisfies readonly Scope[];

const grantedScopes = z.array(z.enum(grantableScopes).meta({ id: "GrantableScope" }));

/** The JSON body of a registration. Nothing in it is a secret, and nothing in it grants anything. */
export const registrationRequest = z
  .object({
    entry_type: text(1, 64).meta({ description: "How the agent connects", examples: ["mcp"] }),
    client_name: text(1, 128).meta({
      description: "A name that the agent's user will recognise",
      examples: ["Apollo's coder"],
    }),
    installation_fingerprint: text(1, 512).meta({
      description: "Tells installations apart. It is not a secret and proves nothing",
      examples: ["laptop-7f3a"],
    }),
    project_id: projectId.nullish(),
    metadata: jsonObject.nullish(),
    client_version: text(1, 64).nullish(),
    runtime: text(1, 64).nullish(),
    device_id_hash: named,
    environment_id: named,
    workspace_path_hash: named,
    project_id_hash: named,
    skill_package_id: named,
    mcp_server_id: named,
  })
  .meta({ id: "AgentSelfRegistrationRequest" });
export type RegistrationRequest = z.output<typeof registrationRequest>;

export const registrationAnswer = z
  .object({
    agent_id: z.string(),
    claim_code: z.string().meta({ description: "The code that the user enters, within 24 hours" }),
    bind_url: z.string().meta({ description: "The page where the user approves the agent" }),
    status: z.literal("pending"),
    connection_method: z.literal("streamable_http"),
    trust_level: z.literal(0),
    temporary_token: z.string().nullable().meta({
      description:
        "Keep it in the client's credential store only. It reads and writes the agent's own quarantine",
    }),
  })
  .meta({ id: "AgentSelfRegistrationResponse" });
export type RegistrationAnswer = z.output<typeof registrationAnswer>;

const ownerHint = z.string().nullable().meta({
  description: "Part of the user's name, enough to recognise it; null until somebody approves the agent",
});

export const agentStatusAnswer = z
  .object({
    agent_id: z.string(),
    status: agentStatus,
    trust_level: z.int().meta({ description: "0: temporary, 2: bound" }),
    token_kind: tokenKind,
    scopes: grantedScopes,
    owner_hint: ownerHint,
    bind_url: z.string().optional().meta({ description: "Present while the agent can still be approved" }),
    expires_at: time.nullable(),
  })
  .meta({ id: "AgentStatus" });

export const bindStatusAnswer = z
  .object({
    agent_id: z.string(),
    status: agentStatus,
    requested_at: time,
    approved_at: time.nullable(),
    expires_at: time.nullable(),
    owner_hint: ownerHint,
  })
  .meta({ id: "AgentBindStatus" });

export const confirmRequest = z
  .object({
    confirmation_token: text(1, 256).meta({
      description: "The token that the user was shown after approving; valid for 10 minutes and 5 attempts",
    }),
  })
  .meta({ id: "AgentBindConfirmRequest" });

export const confirmAnswer = z
  .object({
    agent_id: z.string(),
    status: z.literal("bound"),
    trust_level: z.literal(2),
    token: z.string().meta({ description: "The formal token; shown only this once" }),
    scopes: grantedScopes,
    expires_at: time.nullable(),
  })
  .meta({ id: "AgentBindConfirmation" });
export type ConfirmAnswer = z.output<typeof confirmAnswer>;

export const denyAnswer = z
  .object({ agent_id: z.string(), status: z.literal("denied") })
  .meta({ id: "AgentBindDenial" });

export const rotateAnswer = z
  .object({
    agent_id: z.string(),
    token: z.string().meta({ description: "The new formal token; shown only this once" }),
    previous_token_valid_until: time,
  })
  .meta({ id: "AgentTokenRotation" });

export const SKILL_TOKEN_DAYS_MAX = 90;

export const skillTokenRequest = z
  .object({
    name: text(1, 128).nullish().meta({ description: "A name to recognise it by" }),
    scopes: z
      .array(scopeName)
      .min(1)
      .max(32)
      .nullish()
      .meta({ description: "Default: the scopes of the token that issues it" }),
    projects: z.array(projectId).min(1).max(100).nullish(),
    path_prefix: path.nullish(),
    buckets: z.array(bucket).min(1).max(100).nullish(),
    expires_in_days: z.int().min(1).max(SKILL_TOKEN_DAYS_MAX).default(SKILL_TOKEN_DAYS_MAX),
  })
  .meta({ id: "SkillTokenRequest" });
export type SkillTokenRequest = z.output<typeof skillTokenRequest>;

export const skillTokenAnswer = z
  .object({
    id: publicId,
    token: z.string().meta({ description: "The skill token; shown only this once" }),
    scopes: grantedScopes,
    projects: z.array(z.string()).nullable(),
    path_prefix: z.string().nullable(),
    buckets: z.array(z.string()).nullable(),
    expires_at: time,
  })
  .meta({ id: "SkillToken" });
