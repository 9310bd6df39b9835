import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;
type Network = readonly [Address, number];

/**
 * The network address a request comes from, in its shortest spelling (an IPv4 address that is mapped into IPv6 as IPv4);
 * null for one that came over no socket.
 *
 * It is the socket's own, unless that is a trusted proxy (addresses and CIDR ranges): then the right-most address of
 * `X-Forwarded-For` that is no trusted proxy itself. What is to the left of it is the client's word and is not read; where
 * something other than an address is in the way, the socket's address is all that is known. `Forwarded`
 * (RFC 7239) is not read: a proxy that writes the one header passes on what a client wrote into the other.
 */
export function clientAddress(request: Request, trustedProxies: readonly string[]): string | null {
  const socket = parsed((request as { ip?: string | null }).ip ?? "");
  if (!socket) return null;
  return furthest(socket, request.headers.get("x-forwarded-for"), networksOf(trustedProxies)).toString();
}

/** The network that an address counts as. IPv6 counts by its first 64 bits, because one client usually has all of them. */
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

/** Only the spellings that proxies and sockets use: an octal or a shortened IPv4 address is none. */
function parsed(text: string): Address | null {
  const isAddress = text.includes(":") ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);
  return isAddress ? ipaddr.process(text) : null;
}

function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Read once: the list is a setting, and the same for every request. */
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
