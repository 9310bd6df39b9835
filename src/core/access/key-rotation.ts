import type { RotateKeyAnswer } from "../../contract/key.ts";
import { invalidToken } from "../caller.ts";
import { DomainError } from "../error.ts";
import type { UseCase } from "../use-case.ts";
import type { TokenKind } from "./credential.ts";
import type { KeyRotator, RotatedCredential } from "./credential-store.ts";

/** Facts about a key that decide whether it can be rotated. */
export interface RotatedKey {
  readonly kind: TokenKind;
  readonly isBootstrap: boolean;
  /** True if it was revoked, or expired without having been replaced. */
  readonly hasEnded: boolean;
  /** Its latest successor: whether that was used, and whether it has been revoked. */
  readonly successor: { readonly id: string; readonly isUsed: boolean; readonly isRevoked: boolean } | null;
}

/** Throws `conflict` if a key cannot be replaced, with what to do instead. */
export function requireRotatable({ kind, isBootstrap, hasEnded, successor }: RotatedKey): void {
  const refuse = (message: string) => {
    throw new DomainError("conflict", message);
  };
  if (kind.startsWith("agent_"))
    refuse("An agent's token is replaced by the agent itself: POST /v1/agents/rotate.");
  if (kind === "oauth") refuse("OAuth renews an app's tokens by itself; there is no key to rotate.");
  if (kind === "session") refuse("A session has no key to rotate: sign in again.");
  if (isBootstrap) refuse("This is the bootstrap key: change BOOTSTRAP_API_KEY and restart the service.");
  if (successor?.isRevoked) refuse("The key that replaced this one has been revoked: make a new one.");
  if (successor?.isUsed)
    refuse(`This key has been replaced, and the new one is in use: rotate that one, ${successor.id}.`);
  if (hasEnded) refuse("This key has expired or been revoked: make a new one.");
}

/** Rotates the calling key, so that services can rotate keys on a schedule without an operator. */
export const rotateKey: UseCase<{ readonly keys: KeyRotator }, "rotateKey"> = async (
  { keys },
  caller,
  { overlap_seconds },
) => {
  const rotated = await keys
    .rotate(caller.tokenId, { overlapMs: overlap_seconds * 1000, requestId: caller.requestId })
    .catch((error) => {
      throw error instanceof DomainError && error.code === "not_found" ? invalidToken() : error;
    });
  return rotationAnswer(rotated);
};

/** Formats the answer, with the new secret. */
export function rotationAnswer({
  credential,
  secret,
  previousId,
  previousValidUntil,
}: RotatedCredential): RotateKeyAnswer {
  return {
    id: credential.tokenId,
    token: secret,
    expires_at: credential.expiresAt === null ? null : inUtc(credential.expiresAt),
    previous_id: previousId,
    previous_token_valid_until: inUtc(previousValidUntil),
  };
}

const inUtc = (instant: number) => new Date(instant).toISOString();
