import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../../core/access/loopback.ts";
import { invalidToken } from "../../core/caller.ts";
import { DomainError } from "../../core/error.ts";
import { clientAddress, networkOf } from "../http/address.ts";
import type { SurfaceDependencies } from "../http/pipeline.ts";
import type { Endpoint } from "./endpoint.ts";

/** The page of metrics, and who may read it. */
export interface MetricsPage {
  readonly contentType: string;
  readonly render: () => Promise<string>;
  /** Whoever presents it as a bearer may read; null: nobody but this machine. */
  readonly token: string | null;
  /**
   * Whether this machine's own processes may read it without a token. False where a proxy on this machine may pass on what
   * comes from elsewhere.
   */
  readonly isForLoopback: boolean;
}

/**
 * `/metrics`. No API key opens it: a key is looked up in Postgres, and metrics are needed most while that is away; and it
 * is the operator's, whom no scope that users hand out stands for. Where nobody may read it, it is not there.
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

/** Takes the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
