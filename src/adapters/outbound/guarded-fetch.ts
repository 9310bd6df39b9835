import { Buffer } from "node:buffer";
import { lookup as systemLookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Returns all addresses of a name, in the resolver's order. */
export type Lookup = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

export interface GuardOptions {
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: Lookup;
  /** For tests, whose servers are on this machine. */
  readonly allowLoopback?: boolean;
  /** Certificates to trust instead of the well-known ones. */
  readonly ca?: string;
  readonly bytesMax?: number;
  readonly timeoutMs?: number;
  /** Allowed receivers outside the public internet. Default: none. */
  readonly allow?: OutboundAllow;
  /** Allowed methods. Default: GET and HEAD. */
  readonly methods?: readonly string[];
  /** True if only an answer's status and headers are needed. Its body is then not read. */
  readonly ignoresBody?: boolean;
}

/** Why a request was not made or not finished. */
export type OutboundReason = "not_allowed" | "no_public_address" | "timeout" | "too_large" | "not_http";

/** Why a request was not made or not finished. The message names no address. */
export class OutboundRefused extends Error {
  override readonly name = "OutboundRefused";
  readonly reason: OutboundReason;

  constructor(message: string, reason: OutboundReason = "not_allowed") {
    super(message);
    this.reason = reason;
  }
}

const BYTES_MAX = 64 * 1024;
const TIMEOUT_MS = 5000;
const METHODS = ["GET", "HEAD"];
const WITHOUT_BODY = [204, 205, 304];

/**
 * Creates a `fetch` for untrusted addresses: only https and only the public internet, except what the operator allows.
 * A name is resolved once, and the connection goes to the checked address, so that DNS rebinding cannot redirect it.
 * Redirects are returned, never followed. Limited to 64 KiB and five seconds in total. Rejects with `OutboundRefused`,
 * or with the connection's error.
 */
export function createGuardedFetch(options: GuardOptions = {}): typeof fetch {
  const { timeoutMs = TIMEOUT_MS } = options;
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    requireAllowed(url, request.method, options);
    const sent = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    const address = await unlessAborted(checkedAddress(url.hostname, options), signal);
    return unlessAborted(exchange(url, address, { request, sent }, signal, options), signal);
  };
  return guarded as typeof fetch;
}

/** Allowed beside the public internet by default. */
const NOTHING = outboundAllow([]);

function requireAllowed(
  url: URL,
  method: string,
  { allow = NOTHING, methods = METHODS }: GuardOptions,
): void {
  const why = whyNeverRequested(url, allow, { isNameEnough: true });
  if (why !== null) throw new OutboundRefused(why);
  if (!methods.includes(method)) throw new OutboundRefused(`Only ${methods.join(" and ")} are requested.`);
}

/**
 * Returns why a URL is never requested, whatever its name resolves to; null if it may be. Plain http is only for
 * receivers that the operator allows. `isNameEnough`: IP addresses are not checked now but, like resolved ones, on the
 * request.
 */
export function whyNeverRequested(
  url: URL,
  allow: OutboundAllow,
  { isNameEnough = false } = {},
): string | null {
  const isNamed = allow.allowsHost(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isNamed)) return "Only https is requested.";
  if (url.username !== "" || url.password !== "") return "No credentials are sent.";
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isNameEnough || isNamed || isIP(literal) === 0 || isPublicAddress(literal)) return null;
  return "The address is not public, and the operator has not allowed it.";
}

/**
 * Returns the first address of a name, if all of them are allowed. A name with a private address is refused like a
 * nonexistent one, so that requesters cannot probe internal names.
 */
async function checkedAddress(hostname: string, options: GuardOptions): Promise<string> {
  const { lookup = systemResolver, allowLoopback = false, allow = NOTHING } = options;
  const literal = hostname.replace(/^\[|\]$/g, "");
  const isAllowed = (address: string) =>
    isPublicAddress(address, { allowLoopback }) || allow.allowsAddress(address);
  if (isIP(literal) !== 0) {
    if (allow.allowsHost(hostname) || isAllowed(literal)) return literal;
    throw new OutboundRefused("The address is not public.");
  }
  const answers = await lookup(hostname).catch(() => []);
  const [first] = answers;
  if (first && (allow.allowsHost(hostname) || answers.every(({ address }) => isAllowed(address))))
    return first.address;
  throw new OutboundRefused("The name has no address on the public internet.", "no_public_address");
}

const systemResolver: Lookup = (hostname) => systemLookup(hostname, { all: true });

function exchange(
  url: URL,
  address: string,
  { request, sent }: { readonly request: Request; readonly sent: Buffer | null },
  signal: AbortSignal,
  { ca, bytesMax = BYTES_MAX, ignoresBody = false }: GuardOptions,
): Promise<Response> {
  const isPlain = url.protocol === "http:";
  const standardPort = isPlain ? 80 : 443;
  return new Promise((resolve, reject) => {
    const outgoing = (isPlain ? httpRequest : httpsRequest)({
      // Connects to the address, so that the name is not resolved again. The certificate must still match the name.
      host: address,
      port: url.port === "" ? standardPort : Number(url.port),
      path: url.pathname + url.search,
      method: request.method,
      headers: {
        ...Object.fromEntries(request.headers),
        host: url.host,
        "accept-encoding": "identity",
        ...(sent && { "content-length": String(sent.byteLength) }),
      },
      ...(isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0 && { servername: url.hostname }),
      ...(ca !== undefined && { ca }),
      agent: false,
      signal,
    });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      if (ignoresBody) {
        resolve(responseOf(incoming, Buffer.alloc(0)));
        // The rest of the body is not needed, and could be endless.
        return void outgoing.destroy();
      }
      whole(incoming, bytesMax).then(
        (body) => resolve(responseOf(incoming, body)),
        (error) => {
          outgoing.destroy();
          reject(error);
        },
      );
    });
    outgoing.end(sent ?? undefined);
  });
}

async function whole(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > bytesMax)
      throw new OutboundRefused(`The answer has more than ${bytesMax} bytes.`, "too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function responseOf(incoming: IncomingMessage, body: Buffer): Response {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 599) throw new OutboundRefused("The answer is not one of HTTP.", "not_http");
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const bytes = WITHOUT_BODY.includes(status) ? null : new Uint8Array(body);
  return new Response(bytes, { status, headers });
}

/** Rejects when the signal aborts, whatever the work is waiting for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new OutboundRefused("The request took too long or was given up.", "timeout"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Azure's platform service for its machines, at an address of the public range. */
const CLOUD_SERVICES = ["168.63.129.16"];

/** All of IPv6 that is assigned to the public internet. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/**
 * True for an address of the public internet: not this machine, a private or carrier's network, a link, a cloud's
 * metadata service, a multicast group, or a documentation, reserved or translation range. An IPv4 address inside an
 * IPv6 one is judged as the IPv4 address.
 */
export function isPublicAddress(text: string, { allowLoopback = false } = {}): boolean {
  if (isIP(text) === 0 || CLOUD_SERVICES.includes(text)) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  if (range === "loopback") return allowLoopback;
  if (range !== "unicast" || CLOUD_SERVICES.includes(address.toString())) return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_IPV6);
}

/** Receivers on networks that are not public, which an operator allows: by host name, address or range. */
export interface OutboundAllow {
  allowsHost(hostname: string): boolean;
  allowsAddress(address: string): boolean;
}

/** Entries are host names (`hooks.internal`, `*.internal`), addresses and CIDR ranges. */
export function outboundAllow(entries: readonly string[]): OutboundAllow {
  const networks = entries.filter(isNetwork).map(networkOf);
  const names = entries.filter((entry) => !isNetwork(entry)).map((name) => name.toLowerCase());
  const allowsAddress = (text: string) => {
    if (isIP(text) === 0) return false;
    const address = ipaddr.process(text);
    return networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
  return {
    allowsAddress,
    allowsHost(hostname) {
      const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
      if (isIP(host) !== 0) return allowsAddress(host);
      return names.some((name) => (name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name));
    },
  };
}

function isNetwork(entry: string): boolean {
  return isIP(entry.split("/", 1)[0] ?? "") !== 0;
}

function networkOf(entry: string): ReturnType<typeof ipaddr.parseCIDR> {
  return ipaddr.parseCIDR(entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`);
}
