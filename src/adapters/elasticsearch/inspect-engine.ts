import type { Client } from "@elastic/elasticsearch";
import { UNAVAILABLE } from "../../core/recall/index-unavailable.ts";
import { unavailabilityOf } from "./errors.ts";

/** The oldest engine with all that is used here. */
const VERSION_MIN = [8, 15] as const;

/** What answers at the address of the search engine. */
export type EngineFound =
  | { readonly kind: "supported"; readonly version: string }
  /** `found` names product and version. */
  | { readonly kind: "unsupported"; readonly found: string }
  /** `why` in a few words, as in `UNAVAILABLE`. */
  | { readonly kind: "unavailable"; readonly why: string };

/** Asks an engine what it is. Never rejects. */
export async function inspectEngine(client: Client, timeoutMs: number): Promise<EngineFound> {
  try {
    const { version } = await client.info({}, { requestTimeout: timeoutMs });
    const { number, distribution } = version as { number?: unknown; distribution?: unknown };
    if (typeof number !== "string") return { kind: "unavailable", why: UNAVAILABLE.unintelligible };
    if (distribution !== undefined) return { kind: "unsupported", found: `${distribution} ${number}` };
    const isSupported = !isOlder(number);
    return isSupported
      ? { kind: "supported", version: number }
      : { kind: "unsupported", found: `Elasticsearch ${number}` };
  } catch (error) {
    return { kind: "unavailable", why: UNAVAILABLE[unavailabilityOf(error) ?? "unintelligible"] };
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1]);
}

/** What is said of an engine that is not supported. */
export function unsupported(found: string): string {
  return `${found} is not supported: Elasticsearch ${VERSION_MIN.join(".")} or newer is needed`;
}
