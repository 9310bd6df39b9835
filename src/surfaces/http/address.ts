import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;
type Network = readonly [Address, number];

/**
 * Returns the client's network address in its shortest spelling (IPv4-mapped IPv6 addresses as IPv4); null for a
 * request that did not come over a socket.
 *
 * This is the socket's address. If that belongs to a trusted proxy (addresses and CIDR ranges), it is the right-most
 * address of `X-Forwarded-For` that is not a trusted proxy itself. Entries further left are the client's own claims and
 * are ignored. If an entry on the way is not an address, the socket's address is returned. `Forwarded` (RFC 7239) is
 * ignored: a proxy that sets `X-Forwarded-For` would pass on a `Forwarded` header written by the client.
 */
export function clientAddress(request: Request, trustedProxies: readonly string[]): string | null {
  const socket = parsed((request as { ip?: string | null }).ip ?? "");
  if (!socket) return null;
  return furthest(socket, request.headers.get("x-forwarded-for"), networksOf(trustedProxies)).toString();
}

/**
 * Returns the network that an address is counted under: for IPv6 the /64 prefix, because one client usually has all of
 * it.
 */
export function networkOf(address: string | null): string | null {
  if (address === null) return null;
  const whole = parsed(address);
  if (!whole) return address;
  if (whole.kind() === "ipv4") return whole.toString();
  const [a, b, c, d] = (whole as ipaddr.IPv6).parts;
  return `${new ipaddr.IPv6([a, b, c, d, 0, 0, 0, 0] as number[]).toString()}/64`;
}

function furthest(socket: Address, forwardedFor: string | null, trusted: readonly Network[]): Address {
  const isTrusted = (address: Address) => trusted.some((network) => isWithin(address, network));
  if (!forwardedFor || !isTrusted(socket)) return socket;
  let known = socket;
  for (const entry of forwardedFor.split(",").reverse()) {
    const address = parsed(withoutPort(entry.trim()));
    if (!address) return socket;
    known = address;
    if (!isTrusted(address)) break;
  }
  return known;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write it. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

/** Accepts only the spellings that proxies and sockets use: no octal or shortened IPv4 addresses. */
function parsed(text: string): Address | null {
  const isAddress = text.includes(":") ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
  return isAddress ? ipaddr.process(text) : null;
}

function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Parsed networks by list. The list is a setting, so it is parsed once. */
const known = new WeakMap<readonly string[], readonly Network[]>();

function networksOf(trustedProxies: readonly string[]): readonly Network[] {
  const networks = known.get(trustedProxies) ?? trustedProxies.map(networkIn);
  known.set(trustedProxies, networks);
  return networks;
}

function networkIn(text: string): Network {
  const [network, bits] = ipaddr.parseCIDR(
    text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`,
  );
  const isMapped = network.kind() === "ipv6" && (network as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [(network as ipaddr.IPv6).toIPv4Address(), bits - 96] : [network, bits];
}
