import { userId } from "../../contract/end-user-member.ts";
import type { ErrorCode } from "../../contract/error.ts";
import { isWordForNothing } from "../../contract/names.ts";
import type { RateCategory } from "../../contract/operation.ts";
import { attributionName, projectId } from "../../contract/primitives.ts";
import type { LimitCategory } from "../../contract/rate-limit.ts";
import type { Accounts, SessionCaller } from "../../core/access/accounts.ts";
import type { Claims, Credential } from "../../core/access/credential.ts";
import { type Caller, callerOf, invalidToken, limitKeyOf, type Visitor } from "../../core/caller.ts";
import { DomainError, invalid } from "../../core/error.ts";
import { partyOf } from "../../core/limits/fair-share.ts";
import type { Requester } from "../../core/limits/places.ts";
import type { RateLimitStatus } from "../../core/limits/rate-limiter.ts";
import { UNWATCHED } from "../../core/watch/watch.ts";
import type { Pace } from "../../recall/work.ts";
import { clientAddress, networkOf } from "./address.ts";
import { readBytes } from "./body.ts";
import { domainErrorOf } from "./error-response.ts";
import type { RequestContext, RequestedOperation, SurfaceDependencies } from "./pipeline.ts";

/**
 * Authenticates and counts a request, before its body is read, and returns its caller. Errors, in this order:
 * `invalid_token`, `rate_limited`, `validation_failed` (an attribution header that cannot be stored). `rate` is the
 * category to count in addition to the data plane's.
 */
export async function admitCaller(
  surface: SurfaceDependencies,
  context: RequestContext,
  rate: RateCategory | null,
  wordsForNothing: WordsForNothing = "refused",
): Promise<Caller> {
  const { request, requestId } = context;
  const credential = await authenticated(surface, context);
  await count(surface, context, credential, inData(rate));
  const claims = claimsOf(request.headers, wordsForNothing);
  return callerOf(credential, claims, { requestId, hash: surface.hash });
}

/**
 * The same for a person in a browser, authenticated by the session cookie. Attribution headers are ignored: every
 * action is attributed to the account.
 */
export async function admitSession(
  surface: SurfaceDependencies & { readonly accounts: Pick<Accounts, "session"> },
  context: RequestContext,
): Promise<Caller> {
  const { request, requestId } = context;
  const session = await surface.accounts.session(request.headers);
  if (!session) {
    await count(surface, context, null, ["authentication"]);
    throw new DomainError(
      "invalid_token",
      "You are not signed in, or your session has ended. Sign in again.",
    );
  }
  const { credential } = session;
  context.tokenId = credential.tokenId;
  context.owner = credential.owner;
  await count(surface, context, credential, inData(null));
  return callerOfSession(session, { requestId, hash: surface.hash });
}

/**
 * Re-reads the session of an admitted request that is still running; null if the session has ended. Not counted again.
 */
export async function sessionNow(
  surface: Pick<SurfaceDependencies, "hash"> & { readonly accounts: Pick<Accounts, "session"> },
  { request, requestId }: Pick<RequestContext, "request" | "requestId">,
): Promise<Caller | null> {
  const session = await surface.accounts.session(request.headers);
  return session && callerOfSession(session, { requestId, hash: surface.hash });
}

function callerOfSession(
  { credential, account, sessionId }: SessionCaller,
  request: Parameters<typeof callerOf>[2],
): Caller {
  return { ...callerOf(credential, NO_CLAIMS, request), session: { id: sessionId, account } };
}

const NO_CLAIMS: Claims = {
  agentId: null,
  agentName: null,
  agentInstance: null,
  sessionId: null,
  taskId: null,
  projectId: null,
};

/** Admits a request to a public operation. A credential is optional, but must be valid if present. */
export async function admitVisitor(
  surface: SurfaceDependencies,
  context: RequestContext,
  rate: RateCategory | null,
): Promise<Visitor> {
  const { request, requestId } = context;
  const credential = presentsCredential(request.headers) ? await authenticated(surface, context) : null;
  await count(surface, context, credential, inData(rate));
  const address = clientAddress(request, surface.trustedProxies);
  return { address, network: networkOf(address), requestId };
}

/** Re-reads the credential of an admitted request that is still running; null if it has ended. Not counted again. */
export async function callerNow(
  surface: SurfaceDependencies,
  context: RequestContext,
): Promise<Caller | null> {
  const { request, requestId } = context;
  const secret = presentedSecret(request.headers);
  const credential = secret === null ? null : await surface.credentials.authenticate(secret);
  return (
    credential &&
    callerOf(credential, claimsOf(request.headers, "refused"), { requestId, hash: surface.hash })
  );
}

/**
 * Counts an admitted request in another category and returns the sender's status there. Rejects with `rate_limited` if
 * the category is used up.
 */
export async function admitAs(
  surface: Pick<SurfaceDependencies, "rateLimiter">,
  caller: Caller,
  rate: RateCategory | null,
): Promise<RateLimitStatus | null> {
  if (rate === null || surface.rateLimiter === null) return null;
  return surface.rateLimiter.admit({ limitKey: caller.limitKey, network: null }, [rate]);
}

interface SlotOptions {
  /** Another signal that the client is no longer waiting. */
  readonly cancelled?: AbortSignal | undefined;
  /** The end user whose share of its application's slots the operation uses: see `memberOfParty`. */
  readonly member?: string | null;
}

/**
 * Runs the operation of an admitted request in a slot of its sender's share; rejects with `overloaded` if there is
 * none. Call it after the request has been read completely. If the client disconnects, reads are cancelled; operations
 * that may change something run to completion once begun. A request without a credential counts by its network.
 */
export async function runInSlot<T>(
  surface: Pick<SurfaceDependencies, "share" | "trustedProxies" | "isUnavailable" | "watch">,
  context: RequestContext,
  { name, effect }: RequestedOperation,
  work: (pace: Pace) => Promise<T>,
  { cancelled, member = null }: SlotOptions = {},
): Promise<T> {
  const { watch = UNWATCHED } = surface;
  const gone = context.request.signal;
  const signal = cancelled === undefined ? gone : AbortSignal.any([gone, cancelled]);
  const callOff = { waiting: signal, ...(effect === "read" ? { running: signal } : {}) };
  const begunAt = performance.now();
  const done = (code: ErrorCode | null) =>
    context.onOperationEnd({ name, effect, code, ms: performance.now() - begunAt });
  try {
    const result = await watch.operation(name, () => {
      let slotAcquired = () => {};
      const place = new Promise<void>((resolve) => {
        slotAcquired = resolve;
      });
      void watch.stage("place", () => place);
      const placed = (pace: Pace) => {
        slotAcquired();
        return work(pace);
      };
      return surface.share
        .run({ ...requesterOf(surface, context), member }, placed, callOff)
        .finally(slotAcquired);
    });
    done(null);
    return result;
  } catch (error) {
    done(domainErrorOf(error, surface.isUnavailable).code);
    throw error;
  }
}

/** Reports an operation that was refused before it got a slot, for requests with several operations. */
export function reportRefusal(
  surface: Pick<SurfaceDependencies, "isUnavailable">,
  context: Pick<RequestContext, "onOperationEnd">,
  { name, effect }: RequestedOperation,
  error: unknown,
): void {
  context.onOperationEnd({ name, effect, code: domainErrorOf(error, surface.isUnavailable).code, ms: 0 });
}

/** Larger bodies block the CPU for milliseconds when parsed; 1 MiB takes about 200 ms. */
const PARSED_AT_ONCE_BYTES = 16 * 1024;

/**
 * Reads the body of an admitted request, like `readBytes`. A large body is returned only when it is its sender's turn:
 * many large bodies arriving together would otherwise be parsed back to back and block all other requests.
 */
export async function readInTurn(
  surface: Pick<SurfaceDependencies, "share" | "trustedProxies">,
  context: Pick<RequestContext, "request" | "requester">,
): Promise<Uint8Array> {
  const bytes = await readBytes(context.request);
  if (bytes.length > PARSED_AT_ONCE_BYTES) await surface.share.turn(requesterOf(surface, context));
  return bytes;
}

function requesterOf(
  { trustedProxies }: Pick<SurfaceDependencies, "trustedProxies">,
  { request, requester }: Pick<RequestContext, "request" | "requester">,
): Requester {
  if (requester) return requester;
  return { credential: null, party: partyOf(null, networkOf(clientAddress(request, trustedProxies))) };
}

async function authenticated(surface: SurfaceDependencies, context: RequestContext): Promise<Credential> {
  const secret = presentedSecret(context.request.headers);
  const credential = secret === null ? null : await surface.credentials.authenticate(secret);
  if (credential) {
    context.tokenId = credential.tokenId;
    context.owner = credential.owner;
    return credential;
  }
  // Only failures count, so that others behind the same address cannot get a valid credential refused.
  await count(surface, context, null, ["authentication"]);
  throw invalidToken();
}

async function count(
  { rateLimiter, trustedProxies }: SurfaceDependencies,
  context: RequestContext,
  credential: Credential | null,
  categories: readonly LimitCategory[],
): Promise<void> {
  const limitKey = credential && limitKeyOf(credential);
  const network = networkOf(clientAddress(context.request, trustedProxies));
  context.requester = { credential: limitKey, party: partyOf(credential?.owner ?? null, network) };
  if (!rateLimiter) return;
  context.rateLimit = await rateLimiter.admit({ limitKey, network }, categories);
}

function inData(rate: RateCategory | null): readonly LimitCategory[] {
  return rate === null ? ["data"] : ["data", rate];
}

/** The secret in `X-API-Key` or `Authorization: Bearer`; null without one. */
function presentedSecret(headers: Headers): string | null {
  const key = headers.get("x-api-key")?.trim();
  if (key) return key;
  const bearer = /^bearer +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "");
  return bearer?.[1] ?? null;
}

/** True if a request carries a credential, valid or not. */
function presentsCredential(headers: Headers): boolean {
  return Boolean(headers.get("x-api-key")?.trim() || headers.get("authorization")?.trim());
}

/** Headers with a request's attribution claims, by the member that each becomes. */
export const CLAIM_HEADERS = {
  agentId: "x-agent-id",
  agentName: "x-agent-name",
  agentInstance: "x-agent-instance",
  sessionId: "x-session-id",
  taskId: "x-task-id",
  projectId: "x-project-id",
  userId: "x-user-id",
} as const satisfies Record<keyof Claims, string>;

function claimsOf(headers: Headers, wordsForNothing: WordsForNothing): Claims {
  const claim = (name: keyof Claims): string | null => {
    const header = CLAIM_HEADERS[name];
    const value = textOf(headers.get(header) ?? "", header);
    if (value === "" || (wordsForNothing === "absent" && isWordForNothing(value))) return null;
    const schema = name === "projectId" ? projectId : name === "userId" ? userId : attributionName;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw invalid(["header", header], parsed.error.issues[0]?.message ?? "is not valid");
  };
  return {
    agentId: claim("agentId"),
    agentName: claim("agentName"),
    agentInstance: claim("agentInstance"),
    sessionId: claim("sessionId"),
    taskId: claim("taskId"),
    projectId: claim("projectId"),
    userId: claim("userId"),
  };
}

/** How a claim such as `null` is handled: refused, or treated as absent. */
type WordsForNothing = "refused" | "absent";

/**
 * Decodes a header as UTF-8 and trims it. Runtimes return each byte as one character, and no byte of a multi-byte
 * character is a blank.
 */
function textOf(bytes: string, header: string): string {
  if (/^[ -~]*$/.test(bytes)) return bytes.trim();
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))).trim();
  } catch {
    throw invalid(["header", header], "must be UTF-8");
  }
}
