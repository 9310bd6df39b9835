import { createHmac } from "node:crypto";
import { SERVICE_VERSION } from "../../contract/service.ts";
import type { SendOutcome, WebhookSender } from "../../core/events/delivery.ts";
import { retryAfterMs } from "../../core/resilience/provider-failure.ts";
import { type OutboundAllow, OutboundRefused, whyNeverRequested } from "./guarded-fetch.ts";

export interface SenderOptions {
  readonly allow: OutboundAllow;
  /** The guard: see `createGuardedFetch`. */
  readonly fetch: typeof fetch;
}

/** Creates a sender that posts events by the Standard Webhooks specification, through the guarded fetch. */
export function createWebhookSender({ allow, fetch }: SenderOptions): WebhookSender {
  return {
    whyNot: (url) => whyNeverRequested(new URL(url), allow),
    async send({ url, secrets }, event) {
      const body = JSON.stringify(event);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        "content-type": "application/json",
        "user-agent": `Recollect/${SERVICE_VERSION}`,
        "webhook-id": event.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": secrets
          .map((secret) => `v1,${signature(secret, `${event.id}.${timestamp}.${body}`)}`)
          .join(" "),
      };
      try {
        return outcomeOf(await fetch(url, { method: "POST", headers, body, redirect: "manual" }));
      } catch (error) {
        const reason = error instanceof OutboundRefused ? error.reason : "unreachable";
        return { kind: "failed", reason, tryAgainAfterMs: null };
      }
    },
  };
}

function signature(secret: Uint8Array, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64");
}

/** 2xx: delivered. 410: the receiver wants no more events. */
function outcomeOf({ status, headers }: Response): SendOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const after = retryAfterMs(headers.get("retry-after"), Date.now());
  return { kind: "failed", reason: `status_${status}`, tryAgainAfterMs: after };
}
