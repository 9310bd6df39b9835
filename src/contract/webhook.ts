import { z } from "zod";
import { changeEvent, eventId, eventSubjects } from "./event.ts";
import { projectId, publicId, text, time, uuid } from "./primitives.ts";

export const webhookSettings = {
  url: z
    .url({ protocol: /^https?$/, abort: true })
    .max(2048)
    .meta({
      description:
        "The URL that events are POSTed to. It must use https and be on the public internet, unless the operator allows otherwise",
      examples: ["https://hooks.example/recollect"],
    }),
  description: text(1, 256).nullish().meta({ description: "A note for people" }),
  subjects: z
    .array(z.enum(eventSubjects))
    .min(1)
    .max(eventSubjects.length)
    .nullish()
    .meta({ description: "Only events about these kinds; null means all" }),
  project_id: projectId.nullish().meta({ description: "Only events in this project; null means all" }),
  end_users: z.boolean().nullish().meta({
    description:
      "Whether to deliver events of all end users too, each with its user_id. Needs users:act. Default: false",
  }),
};

export const webhookMember = { webhook_id: publicId.meta({ description: "The webhook" }) };

export const webhookRequest = z.object(webhookSettings).meta({ id: "WebhookRequest" });

export const webhookPatch = z
  .object({
    ...webhookMember,
    ...webhookSettings,
    url: webhookSettings.url.optional(),
    enabled: z.boolean().optional().meta({ description: "Whether events are delivered" }),
  })
  .meta({ id: "WebhookPatchRequest" });

export const webhookStates = ["working", "failing", "suspended", "disabled"] as const;

/** A webhook as its owner sees it. Its secret is shown only on creation. */
export const webhook = z
  .object({
    id: uuid,
    url: z.string(),
    description: z.string().nullable(),
    subjects: z.array(z.enum(eventSubjects)).nullable(),
    project_id: z.string().nullable(),
    end_users: z.boolean(),
    enabled: z.boolean(),
    state: z.enum(webhookStates).meta({
      description:
        "failing: the last attempts failed, and more will follow. suspended: the credential that it acts for has ended or may no longer read",
    }),
    waiting: z.int().meta({ description: "Events waiting to be delivered" }),
    dead_letters: z.int().meta({ description: "Events that were given up on" }),
    last_error: z.string().nullable().meta({
      description:
        "Why the last attempt failed, such as status_500, timeout, unreachable, or no_public_address, which does not say whether the name exists",
    }),
    last_delivered_at: time.nullable(),
    missed_at: time.nullable().meta({
      description: "When events were last removed from the log before they could be delivered",
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Webhook" });
export type WebhookAnswer = z.output<typeof webhook>;

const secret = z.string().meta({
  description:
    "The secret that deliveries are signed with, following the Standard Webhooks specification. Shown only once",
});

export const newWebhook = webhook.extend({ secret }).meta({ id: "NewWebhook" });

export const rotatedSecret = z
  .object({
    id: uuid,
    secret,
    former_secret_until: time.meta({ description: "Until then, deliveries carry the old signature too" }),
  })
  .meta({ id: "RotatedWebhookSecret" });

export const webhookList = z.object({ webhooks: z.array(webhook) }).meta({ id: "WebhookList" });

export const removedWebhook = z.object({ id: uuid, deleted: z.literal(true) }).meta({ id: "RemovedWebhook" });

/** The event that a test delivery sends. Its subject is the webhook itself. */
const testEvent = z
  .object({
    id: z.string().meta({ description: "Its webhook-id; no event in the log has this id" }),
    type: z.literal("webhook.test"),
    timestamp: time,
    data: z.object({ webhook_id: uuid }).meta({ id: "TestEventData" }),
  })
  .meta({ id: "TestEvent" });
export type TestEvent = z.output<typeof testEvent>;

export const testedWebhook = z
  .object({
    id: uuid,
    event: testEvent.meta({ description: "What was sent" }),
    delivered: z.boolean(),
    error: z.string().nullable().meta({
      description:
        "Why it was not delivered, such as status_500, timeout, unreachable, or no_public_address, which does not say whether the name exists",
    }),
  })
  .meta({ id: "TestedWebhook" });

export const deadLettersRequest = z.object({
  ...webhookMember,
  limit: z.int().min(1).max(500).default(100).meta({ description: "The most to return, oldest first" }),
});

export const deadLetters = z
  .object({
    dead_letters: z.array(
      z
        .object({
          event: changeEvent,
          attempts: z.int(),
          last_error: z.string().nullable(),
          given_up_at: time,
        })
        .meta({ id: "DeadLetter" }),
    ),
  })
  .meta({ id: "DeadLetterList" });

export const redeliverRequest = z
  .object({
    ...webhookMember,
    event_ids: z
      .array(eventId)
      .min(1)
      .max(500)
      .nullish()
      .meta({ description: "Only these events; null means all that were given up on" }),
  })
  .meta({ id: "RedeliverRequest" });

export const redelivered = z
  .object({
    id: uuid,
    redelivered: z.int().meta({ description: "The number of events that will be retried" }),
  })
  .meta({ id: "Redelivered" });
