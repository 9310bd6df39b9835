import { z } from "zod";
import { operation } from "./operation.ts";
import * as webhook from "./webhook.ts";

const ROOT = "/v1/webhooks";
const ONE = `${ROOT}/{webhook_id}`;

/** An agent that nobody has bound, and a token for a skill, cause no requests to addresses of their choice. */
const kinds = ["api_key", "oauth", "agent_formal"] as const;
const reads = { effect: "read", scopes: ["memory:read"], kinds, rate: "read" } as const;
const writes = { effect: "write", scopes: ["memory:write"], kinds, rate: "write" } as const;
const bodyErrors = ["payload_too_large", "unsupported_media_type"] as const;

export const createWebhook = operation({
  name: "createWebhook",
  summary: "Have events delivered to an address",
  description:
    "Events from now on are POSTed there, signed, each at least once and in order for each memory, with the authority of this credential, judged anew for each. An owner has at most 20.",
  input: webhook.webhookRequest,
  output: webhook.newWebhook,
  errors: ["quota_exceeded", ...bodyErrors],
  ...writes,
  unrepeatable: true,
  http: { method: "POST", path: ROOT, status: 201 },
});

export const listWebhooks = operation({
  name: "listWebhooks",
  summary: "List webhooks, and how they do",
  description: "Those of the owner; of a confined credential those that it set itself.",
  input: z.object({}),
  output: webhook.webhookList,
  errors: [],
  ...reads,
  http: { method: "GET", path: ROOT, status: 200 },
});

export const getWebhook = operation({
  name: "getWebhook",
  summary: "Read a webhook, and how it does",
  input: z.object(webhook.webhookMember),
  output: webhook.webhook,
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: ONE, status: 200 },
});

export const updateWebhook = operation({
  name: "updateWebhook",
  summary: "Change a webhook",
  description:
    "It acts with the authority of this credential from now on. A failing one is tried at once; one that is enabled again goes on where it stopped.",
  input: webhook.webhookPatch,
  output: webhook.webhook,
  errors: ["not_found", ...bodyErrors],
  ...writes,
  http: { method: "PATCH", path: ONE, status: 200 },
});

export const deleteWebhook = operation({
  name: "deleteWebhook",
  summary: "Remove a webhook, with all that waits for it",
  input: z.object(webhook.webhookMember),
  output: webhook.removedWebhook,
  errors: ["not_found"],
  ...writes,
  http: { method: "DELETE", path: ONE, status: 200 },
});

export const rotateWebhookSecret = operation({
  name: "rotateWebhookSecret",
  summary: "Give a webhook a new secret",
  description: "For 24 hours deliveries carry a signature by each of the two.",
  input: z.object(webhook.webhookMember),
  output: webhook.rotatedSecret,
  errors: ["not_found"],
  ...writes,
  unrepeatable: true,
  http: { method: "POST", path: `${ONE}/rotate-secret`, status: 200 },
});

export const testWebhook = operation({
  name: "testWebhook",
  summary: "Send a webhook an event of nothing, and say what its receiver answered",
  description:
    "One attempt, signed as deliveries are, of the type webhook.test. It is made in every state of the webhook and changes none, and waits for the receiver as long as a delivery does. A webhook is tested every five seconds at most.",
  input: z.object(webhook.webhookMember),
  output: webhook.testedWebhook,
  errors: ["not_found", "conflict"],
  ...writes,
  unrepeatable: true,
  http: { method: "POST", path: `${ONE}/test`, status: 200 },
});

export const listDeadLetters = operation({
  name: "listDeadLetters",
  summary: "List the events that a webhook has given up",
  description: "Those that this credential may know of, for 30 days.",
  input: webhook.deadLettersRequest,
  output: webhook.deadLetters,
  errors: ["not_found"],
  ...reads,
  http: { method: "GET", path: `${ONE}/dead-letters`, status: 200 },
});

export const redeliverDeadLetters = operation({
  name: "redeliverDeadLetters",
  summary: "Deliver again what a webhook has given up",
  description: "They come after what was delivered meanwhile: `revision` tells which change is the newer.",
  input: webhook.redeliverRequest,
  output: webhook.redelivered,
  errors: ["not_found", ...bodyErrors],
  ...writes,
  http: { method: "POST", path: `${ONE}/redeliver`, status: 200 },
});
