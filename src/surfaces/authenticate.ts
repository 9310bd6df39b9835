import { projectId, text } from "../contract/primitives.ts";
import { type Caller, type Claims, callerOf } from "../core/caller.ts";
import type { CredentialStore } from "../core/credential/credential-store.ts";
import { DomainError, invalid } from "../core/error.ts";
import type { Hash } from "../core/ports.ts";

/** What every door needs to know who is asking. */
export interface Authentication {
  readonly credentials: Pick<CredentialStore, "authenticate">;
  readonly hash: Hash;
}

const CLAIM_HEADERS = {
  agentId: "x-agent-id",
  agentName: "x-agent-name",
  agentInstance: "x-agent-instance",
  sessionId: "x-session-id",
  taskId: "x-task-id",
  projectId: "x-project-id",
} as const satisfies Record<keyof Claims, string>;

/**
 * The caller of a request, from `X-API-Key` or `Authorization: Bearer`. `invalid_token` before anything else is looked
 * at; then `validation_failed` for an attribution header that cannot be stored.
 */
export async function authenticate(
  { credentials, hash }: Authentication,
  headers: Headers,
  requestId: string,
): Promise<Caller> {
  const secret = presentedSecret(headers);
  const credential = secret === null ? null : await credentials.authenticate(secret);
  if (!credential) {
    throw new DomainError(
      "invalid_token",
      "invalid_token: send a valid key as X-API-Key or Authorization: Bearer.",
    );
  }
  return callerOf(credential, claimsOf(headers), { requestId, hash });
}

function presentedSecret(headers: Headers): string | null {
  const key = headers.get("x-api-key")?.trim();
  if (key) return key;
  const bearer = /^bearer +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "");
  return bearer?.[1] ?? null;
}

function claimsOf(headers: Headers): Claims {
  const claim = (name: keyof Claims): string | null => {
    const value = headers.get(CLAIM_HEADERS[name])?.trim();
    if (!value) return null;
    const schema = name === "projectId" ? projectId : text(1, 256);
    if (!schema.safeParse(value).success) {
      throw invalid(
        ["header", CLAIM_HEADERS[name]],
        "must be 1 to 256 characters; a project id of A-Z a-z 0-9 . _ : -",
      );
    }
    return value;
  };
  return {
    agentId: claim("agentId"),
    agentName: claim("agentName"),
    agentInstance: claim("agentInstance"),
    sessionId: claim("sessionId"),
    taskId: claim("taskId"),
    projectId: claim("projectId"),
  };
}
