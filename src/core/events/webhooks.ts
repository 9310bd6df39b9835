import type * as contract from "../../contract/webhook.ts";
import type { WebhookAnswer } from "../../contract/webhook.ts";
import { type Caller, requireScope } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { authorityOf } from "../maintenance/authority.ts";
import { rfc3339 } from "../memory/present.ts";
import type { Ports } from "../ports.ts";
import type { UseCase } from "../use-case.ts";
import { presentEvent } from "./list-events.ts";
import { seeingReports, webhookCaller } from "./webhook-caller.ts";
import type { StoredWebhook, WebhookHolder } from "./webhook-store.ts";

type WebhookPorts = Pick<Ports, "webhooks" | "webhookSender" | "store" | "newId" | "clock">;

/**
 * The maximum number of webhooks per owner: more than a team needs, and few enough that one owner cannot delay all
 * others.
 */
const OWN_MAX = 20;
/**
 * The minimum time between tests. Without it, a caller could make this server send requests to an address at full
 * speed.
 */
const TEST_PAUSE_SECONDS = 5;
/** How long deliveries are also signed with the former secret. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Creates a webhook and returns it with its secret. `insufficient_scope` if the caller may not read, `quota_exceeded`
 * if the owner already has 20, `validation_failed` for an address that delivery is not allowed to.
 */
export const createWebhook: UseCase<WebhookPorts, "createWebhook"> = async (ports, caller, input) => {
  requireScope(caller, ["memory:read"]);
  requireReachable(ports, input.url);
  requireEndUsers(caller, input.end_users);
  const settings = {
    url: input.url,
    description: input.description ?? null,
    subjects: input.subjects ?? null,
    projectId: input.project_id ?? null,
    hasEndUsers: input.end_users ?? false,
    isEnabled: true,
  };
  const made = await ports.webhooks.create(
    caller,
    { ...settings, id: ports.newId(), authority: authorityOf(caller) },
    OWN_MAX,
  );
  if (made === null)
    throw new DomainError("quota_exceeded", `There are ${OWN_MAX} webhooks already: remove one first.`);
  return { ...(await present(ports, caller, made.webhook)), secret: made.secret };
};

export const listWebhooks: UseCase<WebhookPorts, "listWebhooks"> = async (ports, caller) => {
  const webhooks = await ports.webhooks.list(holderOf(caller));
  return { webhooks: await Promise.all(webhooks.map((webhook) => present(ports, caller, webhook))) };
};

export const getWebhook: UseCase<WebhookPorts, "getWebhook"> = async (ports, caller, { webhook_id: id }) =>
  present(ports, caller, await found(ports, caller, id));

/**
 * Changes the given members. The webhook acts for this caller from now on: otherwise a narrower credential could
 * redirect events that only a wider one may see to its own address.
 */
export const updateWebhook: UseCase<WebhookPorts, "updateWebhook"> = async (ports, caller, input) => {
  requireScope(caller, ["memory:read"]);
  if (input.url !== undefined) requireReachable(ports, input.url);
  const { webhook_id: id, url, description, subjects, project_id, end_users, enabled } = input;
  requireEndUsers(caller, end_users ?? (await found(ports, caller, id)).hasEndUsers);
  const change = {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(subjects === undefined ? {} : { subjects }),
    ...(project_id === undefined ? {} : { projectId: project_id }),
    ...(end_users == null ? {} : { hasEndUsers: end_users }),
    ...(enabled === undefined ? {} : { isEnabled: enabled }),
  };
  const authority = authorityOf(caller);
  const changed = await ports.webhooks.update(caller, holderOf(caller), id, { ...change, authority });
  if (changed === null) throw notFound("webhook");
  return present(ports, caller, changed);
};

export const deleteWebhook: UseCase<WebhookPorts, "deleteWebhook"> = async (
  ports,
  caller,
  { webhook_id: id },
) => {
  if (!(await ports.webhooks.remove(caller, holderOf(caller), id))) throw notFound("webhook");
  return { id, deleted: true };
};

export const rotateWebhookSecret: UseCase<WebhookPorts, "rotateWebhookSecret"> = async (
  ports,
  caller,
  { webhook_id: id },
) => {
  const until = ports.clock() + OVERLAP_MS;
  const rotated = await ports.webhooks.rotate(caller, holderOf(caller), id, until);
  if (rotated === null) throw notFound("webhook");
  return { id, secret: rotated.secret, former_secret_until: rfc3339(until) };
};

/** Sends one test event. `not_found`; `conflict` if the last test was a moment ago. */
export const testWebhook: UseCase<WebhookPorts, "testWebhook"> = async (
  ports,
  caller,
  { webhook_id: id },
) => {
  await found(ports, caller, id);
  const to = await ports.webhooks.beginTest(caller, holderOf(caller), id, TEST_PAUSE_SECONDS);
  if (to === null)
    throw new DomainError(
      "conflict",
      `This webhook was tested a moment ago. Wait ${TEST_PAUSE_SECONDS} seconds, then test it again.`,
      { retryAfterSeconds: TEST_PAUSE_SECONDS },
    );
  const event: contract.TestEvent = {
    id: `test_${ports.newId()}`,
    type: "webhook.test",
    timestamp: rfc3339(ports.clock()),
    data: { webhook_id: id },
  };
  const outcome = await ports.webhookSender.send(to, event);
  const error = outcome.kind === "failed" ? outcome.reason : outcome.kind === "gone" ? "status_410" : null;
  return { id, event, delivered: error === null, error };
};

export const listDeadLetters: UseCase<WebhookPorts, "listDeadLetters"> = async (
  ports,
  caller,
  { webhook_id: id, limit },
) => {
  const webhook = await found(ports, caller, id);
  const letters = await ports.webhooks.deadLetters(seeingReports(caller, webhook) ?? caller, id, limit);
  return {
    dead_letters: letters.map(({ event, attempts, lastError, givenUpAt }) => ({
      event: presentEvent(event),
      attempts,
      last_error: lastError,
      given_up_at: rfc3339(givenUpAt),
    })),
  };
};

/** Queues dead letters for redelivery. Ids of events that were not given up or do not exist are ignored. */
export const redeliverDeadLetters: UseCase<WebhookPorts, "redeliverDeadLetters"> = async (
  ports,
  caller,
  { webhook_id: id, event_ids },
) => {
  const webhook = await found(ports, caller, id);
  const redelivered = await ports.webhooks.redeliver(
    seeingReports(caller, webhook) ?? caller,
    id,
    event_ids ?? null,
  );
  return { id, redelivered };
};

/**
 * The webhooks that the caller may manage. A credential that sees only a part of its owner's memories may manage only
 * its own webhooks.
 */
function holderOf({ owner, space, scopes, tokenId }: Caller): WebhookHolder {
  const seesAll = Object.values(space).every((limit) => limit === null) && scopes.has("knowledge:read");
  return { ownerId: owner.id, tokenId: seesAll ? null : tokenId };
}

async function found(ports: WebhookPorts, caller: Caller, id: string): Promise<StoredWebhook> {
  const webhook = await ports.webhooks.get(holderOf(caller), id);
  if (webhook === null) throw notFound("webhook");
  return webhook;
}

function requireReachable({ webhookSender }: Pick<Ports, "webhookSender">, url: string): void {
  const why = webhookSender.whyNot(url);
  if (why !== null) throw invalid(["url"], why);
}

function requireEndUsers(caller: Caller, isAsked: boolean | null | undefined): void {
  if (!isAsked) return;
  if (caller.owner.kind === "end_user") throw invalid(["end_users"], "an end user has no end users");
  requireScope(caller, ["users:act"]);
}

async function present(ports: WebhookPorts, caller: Caller, stored: StoredWebhook): Promise<WebhookAnswer> {
  const isSuspended = (await webhookCaller(ports, stored, caller.requestId)) === null;
  return {
    id: stored.id,
    url: stored.url,
    description: stored.description,
    subjects: stored.subjects === null ? null : [...stored.subjects],
    project_id: stored.projectId,
    end_users: stored.hasEndUsers,
    enabled: stored.isEnabled,
    state: !stored.isEnabled
      ? "disabled"
      : isSuspended
        ? "suspended"
        : stored.failures > 0
          ? "failing"
          : "working",
    waiting: stored.waiting,
    dead_letters: stored.deadLetters,
    last_error: stored.lastError,
    last_delivered_at: stored.lastDeliveredAt === null ? null : rfc3339(stored.lastDeliveredAt),
    missed_at: stored.missedAt === null ? null : rfc3339(stored.missedAt),
    created_at: rfc3339(stored.createdAt),
    updated_at: rfc3339(stored.updatedAt),
  };
}
