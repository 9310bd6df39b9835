import { attributionName, PROJECT_ID_RULE, projectId } from "../../contract/primitives.ts";
import type { Claims, Credential } from "../../core/access/credential.ts";
import type { CredentialStore } from "../../core/access/credential-store.ts";
import { type Caller, callerOf } from "../../core/caller.ts";
import type { Hash } from "../../core/environment.ts";
import { invalid } from "../../core/error.ts";

/** What every door needs to know who is asking. */
export interface Authentication {
  readonly credentials: Pick<CredentialStore, "authenticate">;
  readonly hash: Hash;
}

/** What a request may say of where it comes from, by the member it becomes. */
export const CLAIM_HEADERS = {
  agentId: "x-agent-id",
  agentName: "x-agent-name",
  agentInstance: "x-agent-instance",
  sessionId: "x-session-id",
  taskId: "x-task-id",
  projectId: "x-project-id",
} as const satisfies Record<keyof Claims, string>;

/** The valid credential of a request, from `X-API-Key` or `Authorization: Bearer`; null without one. */
export async function credentialOf(
  { credentials }: Authentication,
  headers: Headers,
): Promise<Credential | null> {
  const secret = presentedSecret(headers);
  return secret === null ? null : credentials.authenticate(secret);
}

/** True where a request comes with anything that is meant as a credential, valid or not. */
export function presentsCredential(headers: Headers): boolean {
  return Boolean(headers.get("x-api-key")?.trim() || headers.get("authorization")?.trim());
}

/** The credential's caller in this request. `validation_failed` for an attribution header that cannot be stored. */
export function callerFrom(
  { hash }: Authentication,
  credential: Credential,
  headers: Headers,
  requestId: string,
): Caller {
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
    const parsed = (name === "projectId" ? projectId : attributionName).safeParse(value);
    if (parsed.success) return parsed.data;
    throw invalid(
      ["header", CLAIM_HEADERS[name]],
      name === "projectId" ? PROJECT_ID_RULE : "must be 1 to 256 characters",
    );
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
