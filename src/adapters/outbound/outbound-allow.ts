import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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
