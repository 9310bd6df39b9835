import { z } from "zod";
import { spaceOperation } from "./operation.ts";
import * as webhook from "./webhook.ts";

const ROOT = "/v1/webhooks";
const ONE = `${ROOT}/{webhook_id}`;

/**
 * Unbound agents and skill tokens are excluded: they must not make the service send requests to arbitrary addresses.
 */
const kinds = ["api_key", "oauth", "agent_formal"] as const;
const reads = { effect: "read", scopes: ["memory:read"], kinds, rate: "read" } as const;
const writes = { effect: "write", scopes: ["memory:write"], kinds, rate: "write" } as const;
const bodyErrors = ["payload_too_large", "unsupported_media_type"] as const;

export const createWebhook = spaceOperation({
  name: "createWebhook",
  summary: "Create a webhook that delivers events to a URL",
  description:
    "From now on, events are POSTed to the URL, signed: each at least once, and in order for each memory. Only events that this credential may see are delivered, which is checked for each one. An owner can have up to 20 webhooks.",
  input: webhook.webhookRequest,
  output: webhook.newWebhook,
  errors: ["quota_exceeded", ...bodyErrors],
  ...writes,
  unrepeatable: true,
  http: { method: "POST", path: ROOT, status: 201 },
});

export const listWebhooks = spaceOperation({
  name: "listWebhooks",
  summary: "List webhooks and their state",
  description: "Returns the owner's webhooks; a confined credential sees only those that it created itself.",
  input: z.object({}),
  output: webhook.webhookList,
  errors: [],
  ...reads,
  http: { method: "GET", path: ROOT, status: 200 },
});

export const getWebhook = spaceOperation({
  name: "getWebhook",
  summary: "Read a webhook and its state",
  input: z.object(webhook.webhookMember),
  output: webhook.webhook,
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: ONE, status: 200 },
});

export const updateWebhook = spaceOperation({
  name: "updateWebhook",
  summary: "Change a webhook",
  description:
    "From now on it acts with the access of this credential. A failing webhook is retried at once; one that is enabled again continues where it stopped.",
  input: webhook.webhookPatch,
  output: webhook.webhook,
  errors: ["not_found", ...bodyErrors],
  ...writes,
  http: { method: "PATCH", path: ONE, status: 200 },
});

export const deleteWebhook = spaceOperation({
  name: "deleteWebhook",
  summary: "Delete a webhook and everything waiting for delivery",
  input: z.object(webhook.webhookMember),
  output: webhook.removedWebhook,
  errors: ["not_found"],
  ...writes,
  http: { method: "DELETE", path: ONE, status: 200 },
});

export const rotateWebhookSecret = spaceOperation({
  name: "rotateWebhookSecret",
  summary: "Give a webhook a new secret",
  description: "For 24 hours, deliveries carry signatures made with both the old and the new secret.",
  input: z.object(webhook.webhookMember),
  output: webhook.rotatedSecret,
  errors: ["not_found"],
  ...writes,
  unrepeatable: true,
  http: { method: "POST", path: `${ONE}/rotate-secret`, status: 200 },
});

export const testWebhook = spaceOperation({
  name: "testWebhook",
  summary: "Send a test event to a webhook, and report what the receiver answered",
  description:
    "Makes one attempt with an event of type webhook.test, signed like a delivery and with the same timeout. It works in every state of the webhook and changes none. A webhook can be tested once every five seconds.",
  input: z.object(webhook.webhookMember),
  output: webhook.testedWebhook,
  errors: ["not_found", "conflict"],
  ...writes,
  unrepeatable: true,
  http: { method: "POST", path: `${ONE}/test`, status: 200 },
});

export const listDeadLetters = spaceOperation({
  name: "listDeadLetters",
  summary: "List the events that a webhook gave up on",
  description: "Only events that this credential may see. They are kept for 30 days.",
  input: webhook.deadLettersRequest,
  output: webhook.deadLetters,
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: `${ONE}/dead-letters`, status: 200 },
});

export const redeliverDeadLetters = spaceOperation({
  name: "redeliverDeadLetters",
  summary: "Redeliver events that a webhook gave up on",
  description:
    "They arrive after events delivered in the meantime: compare `revision` to see which change is newer.",
  input: webhook.redeliverRequest,
  output: webhook.redelivered,
  errors: ["not_found", ...bodyErrors],
  ...writes,
  http: { method: "POST", path: `${ONE}/redeliver`, status: 200 },
});
