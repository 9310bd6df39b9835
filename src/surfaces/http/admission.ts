import type { RateCategory } from "../../contract/operation.ts";
import type { LimitCategory } from "../../contract/rate-limit.ts";
import type { Credential } from "../../core/access/credential.ts";
import { type Caller, invalidToken, limitKeyOf, type Visitor } from "../../core/caller.ts";
import type { RateLimitStatus } from "../../core/limits/rate-limiter.ts";
import { clientAddress, networkOf } from "./address.ts";
import { callerFrom, credentialOf, presentsCredential } from "./authenticate.ts";
import type { Door } from "./door.ts";

/** One request on its way in. */
export interface Entry {
  readonly request: Request;
  readonly requestId: string;
  /** How its sender stands with the rate limits, once it has been counted; for the answer. */
  rateLimit: RateLimitStatus | null;
  /** Set once the credential is known, for the log. */
  tokenId: string | null;
}

/**
 * The caller of a request that may go on. Made before a body is read or anything is looked up: `invalid_token`, then
 * `rate_limited`, then `validation_failed` for an attribution header that cannot be stored. `rate` is the category that
 * counts besides the data plane's.
 */
export async function admitCaller(door: Door, entry: Entry, rate: RateCategory | null): Promise<Caller> {
  const credential = await identified(door, entry);
  await countAs(door, entry, credential, rate);
  return callerFrom(door, credential, entry.request.headers, entry.requestId);
}

/** The same for what anybody may ask. A credential is not needed, but one that is presented must be valid. */
export async function admitVisitor(door: Door, entry: Entry, rate: RateCategory | null): Promise<Visitor> {
  const credential = presentsCredential(entry.request.headers) ? await identified(door, entry) : null;
  await countAs(door, entry, credential, rate);
  return { address: addressOf(door, entry), requestId: entry.requestId };
}

/** Counts a further category of a request that has been admitted: `rate_limited` where it is used up. */
export async function admitMore(door: Door, caller: Caller, rate: RateCategory | null): Promise<void> {
  if (rate === null) return;
  await door.rateLimiter?.admit({ limitKey: caller.limitKey, network: null }, [rate]);
}

async function identified(door: Door, entry: Entry): Promise<Credential> {
  const credential = await credentialOf(door, entry.request.headers);
  if (credential) {
    entry.tokenId = credential.tokenId;
    return credential;
  }
  // Only failures count, so that a valid credential is never refused for what others do behind the same address.
  await count(door, entry, null, ["authentication"]);
  throw invalidToken();
}

function countAs(door: Door, entry: Entry, credential: Credential | null, rate: RateCategory | null) {
  return count(door, entry, credential, rate === null ? ["data"] : ["data", rate]);
}

async function count(
  door: Door,
  entry: Entry,
  credential: Credential | null,
  categories: readonly LimitCategory[],
): Promise<void> {
  if (!door.rateLimiter) return;
  const limitKey = credential && limitKeyOf(credential);
  const network = networkOf(addressOf(door, entry));
  entry.rateLimit = await door.rateLimiter.admit({ limitKey, network }, categories);
}

function addressOf({ trustedProxies }: Door, { request }: Entry): string | null {
  return clientAddress(request, trustedProxies);
}
