import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../../core/access/loopback.ts";
import { invalidToken } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { clientAddress, networkOf } from "../http/address.ts";
import type { SurfaceDependencies } from "../http/pipeline.ts";
import type { Endpoint } from "./endpoint.ts";

/** The metrics page, and who may read it. */
export interface MetricsPage {
  readonly contentType: string;
  readonly render: () => Promise<string>;
  /** Bearer token that grants access; null: no access except from this machine. */
  readonly token: string | null;
  /**
   * Whether processes on this machine may read it without a token. False if a proxy on this machine may forward
   * external requests.
   */
  readonly isForLoopback: boolean;
}

/**
 * The endpoint `/metrics`. Answers 404 if no one may read it. API keys are not accepted: they are looked up in
 * Postgres, and metrics are needed most while Postgres is unavailable. Metrics also belong to the operator, for whom
 * there is no scope.
 */
export function metricsEndpoint(
  page: MetricsPage,
  { rateLimiter, trustedProxies }: Pick<SurfaceDependencies, "rateLimiter" | "trustedProxies">,
): Endpoint {
  async function requireReader(request: Request): Promise<void> {
    if (page.token === null) {
      if (page.isForLoopback && isFromThisMachine(request)) return;
      throw new DomainError("not_found", "There is nothing at this address. /docs lists what there is.");
    }
    const bearer = /^bearer +(\S+)$/i.exec(request.headers.get("authorization")?.trim() ?? "")?.[1];
    if (bearer !== undefined && isSame(bearer, page.token)) return;
    const network = networkOf(clientAddress(request, trustedProxies));
    await rateLimiter?.admit({ limitKey: null, network }, ["authentication"]);
    throw invalidToken();
  }
  return {
    path: "/metrics",
    methods: {
      async GET({ request }) {
        await requireReader(request);
        const body = await page.render();
        return {
          status: 200,
          headers: { "content-type": page.contentType, "cache-control": "no-store" },
          body,
        };
      },
    },
  };
}

/** Headers that a proxy adds. */
const FORWARDING = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

function isFromThisMachine(request: Request): boolean {
  const address = clientAddress(request, []);
  return address !== null && isLoopback(address) && !FORWARDING.some((name) => request.headers.has(name));
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
