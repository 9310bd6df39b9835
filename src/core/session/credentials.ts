/**
 * Credentials that a person manages in the browser: all that act for the person, and the keys of teams that the person
 * manages. A secret is returned once and never stored.
 */

import { SKILL_TOKEN_DAYS_MAX } from "../../contract/agent.ts";
import type { InputOf, OutputOf } from "../../contract/operations.ts";
import { RATE_WINDOW_SECONDS } from "../../contract/rate-limit.ts";
import { grantableScopes } from "../../contract/scope.ts";
import type { Owner } from "../access/credential.ts";
import type { CredentialStore, ListedCredential } from "../access/credential-store.ts";
import { rotationAnswer } from "../access/key-rotation.ts";
import type { OAuthServer } from "../access/oauth.ts";
import type { TeamStore } from "../access/team-store.ts";
import { limitKeyOf, sessionOf } from "../caller.ts";
import type { Clock } from "../environment.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { credentialCategories, type RateLimiter } from "../limits/rate-limiter.ts";
import { rfc3339, timeOrNull } from "../memory/present.ts";
import type { UseCase } from "../use-case.ts";
import { requireAdmin, roleOf } from "./teams.ts";

export interface CredentialPorts {
  readonly teams: Pick<TeamStore, "teamsOf">;
  readonly credentials: Pick<CredentialStore, "listOf" | "find" | "issue" | "rotate" | "revoke">;
  readonly oauth: Pick<OAuthServer, "revoke">;
  readonly clock: Clock;
  /** Null if the service has no rate limits. */
  readonly limits: Pick<RateLimiter, "usage"> | null;
}

/** A team's own keys reach all of the team's memories, so only its admins and owners manage them. */
const MANAGE_KEYS = "manage its keys";
const DAY_MS = 24 * 3_600_000;

export const listCredentials: UseCase<CredentialPorts, "listCredentials"> = async (
  { credentials, teams, clock },
  { owner: user },
  { team_id },
) => {
  if (team_id != null) await requireAdmin(teams, user, team_id, MANAGE_KEYS);
  const listed = await credentials.listOf(team_id ?? user.id);
  const now = clock();
  return { credentials: listed.map((one) => present(one, now)) };
};

/** Returns the rate usage of the valid ones among these credentials. */
export const rateUsage: UseCase<CredentialPorts, "rateUsage"> = async (
  { credentials, teams, clock, limits },
  { owner: user },
  { team_id },
) => {
  if (team_id != null) await requireAdmin(teams, user, team_id, MANAGE_KEYS);
  if (limits === null)
    return {
      is_limited: false,
      window_seconds: RATE_WINDOW_SECONDS,
      resets_at: null,
      limits: [],
      credentials: [],
    };
  const now = clock();
  const listed = await credentials.listOf(team_id ?? user.id);
  const valid = listed.filter((one) => stateOf(one, now) === "valid");
  const keys = [...new Set(valid.map(limitKeyOf))];
  const usage = await limits.usage(keys);
  return {
    is_limited: true,
    window_seconds: RATE_WINDOW_SECONDS,
    resets_at: rfc3339(usage.endsAt),
    limits: credentialCategories.map((category, at) => ({ category, limit: usage.limits[at] ?? 0 })),
    credentials: valid.map((one) => ({
      credential_id: one.tokenId,
      counted_as: limitKeyOf(one),
      used: [...(usage.used[keys.indexOf(limitKeyOf(one))] ?? [])],
    })),
  };
};

function stateOf({ expiresAt, revokedAt }: ListedCredential, now: number): "revoked" | "expired" | "valid" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "valid";
}

function present(one: ListedCredential, now: number): OutputOf<"listCredentials">["credentials"][number] {
  const { space, expiresAt, revokedAt } = one;
  return {
    id: one.tokenId,
    kind: one.kind,
    name: one.name,
    hint: one.hint,
    scopes: [...one.scopes],
    team_id: space.teamId,
    projects: space.projects && [...space.projects],
    path_prefix: space.pathPrefix,
    buckets: space.buckets && [...space.buckets],
    agent_id: one.agentId,
    state: stateOf(one, now),
    created_at: rfc3339(one.createdAt),
    expires_at: timeOrNull(expiresAt),
    revoked_at: timeOrNull(revokedAt),
    last_used_at: timeOrNull(one.lastUsedAt),
  };
}

/**
 * Creates a key of the person, optionally confined to a team, or a team's own key. Rejects with `not_found` for a team
 * that the person is not in, and with `role_forbidden` for a team's own key below `admin`.
 */
export const createCredential: UseCase<CredentialPorts, "createCredential"> = async (
  { credentials, teams, clock },
  { owner, requestId },
  input,
) => {
  const { kind, name, scopes, is_teams, team_id: teamId = null } = input;
  if (is_teams) {
    if (teamId === null) throw invalid(["team_id"], "must be the team that will own the key");
    if (kind !== "api_key") throw invalid(["kind"], "must be api_key: a skill's token acts for a person");
    await requireAdmin(teams, owner, teamId, MANAGE_KEYS);
  } else if (teamId !== null) await roleOf(teams, owner, teamId);
  const issued = await credentials.issue(
    {
      kind,
      ownerId: is_teams ? (teamId as string) : owner.id,
      name,
      scopes: [...new Set(scopes)],
      space: {
        teamId: is_teams ? null : teamId,
        projects: input.projects ?? null,
        pathPrefix: input.path_prefix ?? null,
        buckets: input.buckets ?? null,
      },
      expiresAt: expiryOf(input, clock()),
    },
    requestId,
  );
  const { tokenId, expiresAt } = issued.credential;
  return { id: tokenId, token: issued.secret, expires_at: timeOrNull(expiresAt) };
};

function expiryOf({ kind, expires_in_days: asked }: InputOf<"createCredential">, now: number): number | null {
  if (kind !== "skill") return asked == null ? null : now + asked * DAY_MS;
  const days = asked ?? SKILL_TOKEN_DAYS_MAX;
  if (days > SKILL_TOKEN_DAYS_MAX)
    throw invalid(["expires_in_days"], `must be at most ${SKILL_TOKEN_DAYS_MAX}`);
  return now + days * DAY_MS;
}

/** Rejects with `conflict` for a credential that cannot be rotated, with what to do instead. */
export const rotateCredential: UseCase<CredentialPorts, "rotateCredential"> = async (
  { credentials, teams },
  { owner, requestId },
  { credential_id, overlap_seconds },
) => {
  const { scopes } = await kept({ credentials, teams }, owner, credential_id);
  // The new secret would let a session do more than a session may.
  if (scopes.some((scope) => !grantableScopes.includes(scope)))
    throw new DomainError(
      "conflict",
      "This key may erase data, so only the operator can replace it: recollect keys rotate.",
    );
  const rotation = { overlapMs: overlap_seconds * 1000, requestId };
  return rotationAnswer(await credentials.rotate(credential_id, rotation));
};

export const revokeCredential: UseCase<CredentialPorts, "revokeCredential"> = async (
  { credentials, teams, oauth },
  caller,
  { credential_id },
) => {
  const { kind } = await kept({ credentials, teams }, caller.owner, credential_id);
  // Also deletes the consent, so that the app has to ask again.
  const wasApp = kind === "oauth" && (await oauth.revoke(sessionOf(caller).account, credential_id));
  if (!wasApp) await credentials.revoke(credential_id);
  return { revoked: true };
};

/**
 * Returns a credential that the person may manage: the person's own, or a team's own. Rejects with `role_forbidden`
 * below `admin` in the team, and with `not_found` for all others.
 */
async function kept(
  { credentials, teams }: Pick<CredentialPorts, "credentials" | "teams">,
  user: Owner,
  id: string,
): Promise<ListedCredential> {
  const found = await credentials.find(id);
  if (found?.owner.id === user.id) return found;
  const joined = found ? await teams.teamsOf(user.id) : [];
  const isOfMyTeam = joined.some(({ team }) => team.id === found?.owner.id);
  if (!found || !isOfMyTeam) throw notFound("credential");
  await requireAdmin(teams, user, found.owner.id, MANAGE_KEYS);
  return found;
}
