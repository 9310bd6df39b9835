import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress, networkOf } from "../../src/surfaces/http/address.ts";

function request(ip: string | null | undefined, headers: Record<string, string> = {}): Request {
  return Object.assign(new Request("http://localhost/", { headers }), { ip });
}

const behind = (ip: string, forwardedFor: string, trusted: readonly string[]) =>
  clientAddress(request(ip, { "x-forwarded-for": forwardedFor }), trusted);

const ipv4 = fc.ipV4().filter((address) => !address.startsWith("10."));
const headers = fc.dictionary(
  fc.constantFrom("x-forwarded-for", "forwarded", "x-real-ip", "true-client-ip", "cf-connecting-ip", "via"),
  fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[ -~]{0,40}$/)),
);

test("a client that is no trusted proxy cannot choose its address, whatever it sends", () => {
  fc.assert(
    fc.property(ipv4, headers, (socket, sent) => {
      expect(clientAddress(request(socket, sent), ["10.0.0.0/8"])).toBe(socket);
      expect(clientAddress(request(socket, sent), [])).toBe(socket);
    }),
  );
});

test("nor can one behind trusted proxies, each of which appends what it sees", () => {
  const proxies = fc.array(
    fc.ipV4().map((address) => address.replace(/^\d+/, "10")),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(ipv4, proxies, headers, (client, [last = "10.0.0.1", ...inner], sent) => {
      const chain = [sent["x-forwarded-for"], client, ...inner]
        .filter((part) => part !== undefined)
        .join(", ");
      expect(clientAddress(request(last, { ...sent, "x-forwarded-for": chain }), ["10.0.0.0/8"])).toBe(
        client,
      );
    }),
  );
});

test("an IPv4 address that is mapped into IPv6 is that IPv4 address, in socket, header and setting", () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      const mapped = `::ffff:${address}`;
      expect(clientAddress(request(mapped), [])).toBe(address);
      expect(behind("10.0.0.1", mapped, ["10.0.0.1"])).toBe(address);
      expect(behind("::ffff:10.0.0.1", address, ["10.0.0.1"])).toBe(address);
      expect(behind("10.0.0.1", address, ["::ffff:10.0.0.0/104"])).toBe(address);
      expect(networkOf(mapped)).toBe(networkOf(address));
    }),
  );
});

test("where something else than an address stands in the way the socket's counts", () => {
  const garbage = fc
    .stringMatching(/^[ -~]{0,30}$/)
    .filter((text) => !/^[\s,]*[\d.:a-f[\]]+[\s,]*$/i.test(text) && !text.includes(","));
  fc.assert(
    fc.property(garbage, (text) => {
      expect(behind("10.0.0.1", text, ["10.0.0.0/8"])).toBe("10.0.0.1");
      expect(behind("10.0.0.1", `192.0.2.1, ${text}, 10.0.0.2`, ["10.0.0.0/8"])).toBe("10.0.0.1");
    }),
  );
});

describe("the address of a request", () => {
  test.each([
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["192.0.2.1", "192.0.2.1"],
    [null, null],
    [undefined, null],
    ["", null],
    ["/run/socket", null],
  ])("that came over %j is %j", (ip, address) => {
    expect(clientAddress(request(ip), [])).toBe(address);
  });

  test.each([
    ["a single proxy", "10.0.0.1", "192.0.2.1", ["10.0.0.1"], "192.0.2.1"],
    ["what stands left of the client", "10.0.0.1", "1.1.1.1, 192.0.2.1", ["10.0.0.1"], "192.0.2.1"],
    ["garbage left of the client", "10.0.0.1", "junk, 192.0.2.1", ["10.0.0.1"], "192.0.2.1"],
    ["a proxy that is not trusted", "10.0.0.1", "192.0.2.1, 10.9.9.9", ["10.0.0.1"], "10.9.9.9"],
    ["nothing but proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", ["10.0.0.0/8"], "10.0.0.3"],
    ["a port", "10.0.0.1", "192.0.2.1:4711", ["10.0.0.1"], "192.0.2.1"],
    ["brackets and a port", "::1", "[2001:db8::7]:4711", ["::1"], "2001:db8::7"],
    ["an octal spelling", "10.0.0.1", "0300.0.2.1", ["10.0.0.1"], "10.0.0.1"],
    ["a number", "10.0.0.1", "3221225985", ["10.0.0.1"], "10.0.0.1"],
    ["an empty header", "10.0.0.1", "", ["10.0.0.1"], "10.0.0.1"],
    ["an IPv6 range", "fd00::1", "2001:db8::7, fd00::2", ["fd00::/8"], "2001:db8::7"],
    ["a range of the other family", "10.0.0.1", "192.0.2.1", ["::/0"], "10.0.0.1"],
  ])("behind %s", (_, ip, forwardedFor, trusted, address) => {
    expect(behind(ip, forwardedFor, trusted)).toBe(address);
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["not an address", "not an address"],
  [null, null],
])("%j counts as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
