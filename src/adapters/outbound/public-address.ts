import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Azure's service for its own machines has an address of the public range. */
const OF_CLOUDS = ["168.63.129.16"];

/** All of IPv6 that is handed out. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/**
 * True for an address of the public internet: not this machine, a private or carrier's network, a link, a cloud's
 * metadata service, a multicast group, or a documentation, reserved or translating range. An IPv4 address inside an
 * IPv6 one is judged as what it is.
 */
export function isPublicAddress(text: string, { allowLoopback = false } = {}): boolean {
  if (isIP(text) === 0 || OF_CLOUDS.includes(text)) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  if (range === "loopback") return allowLoopback;
  if (range !== "unicast" || OF_CLOUDS.includes(address.toString())) return false;
  return address.kind() === "ipv4" || address.match(GLOBAL_IPV6);
}
