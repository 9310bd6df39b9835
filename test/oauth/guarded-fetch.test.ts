import { describe, expect, test } from "vitest";
import {
  createGuardedFetch,
  type GuardOptions,
  isPublicAddress,
  type Lookup,
  OutboundRefused,
} from "../../src/adapters/outbound/guarded-fetch.ts";
import { certificateFor } from "./certificate.ts";
import { httpsServer } from "./https-server.ts";

const NAME = "client.example.com";
const certificate = certificateFor(NAME);

/** A resolver that says this of every name, and which it was asked. */
function resolver(...addresses: string[]) {
  const asked: string[] = [];
  const lookup = async (name: string) => {
    asked.push(name);
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { asked, lookup };
}

function guarded(options: GuardOptions = {}) {
  return createGuardedFetch({
    ...resolver("127.0.0.1"),
    allowLoopback: true,
    ca: certificate.cert,
    ...options,
  });
}

describe("an address", () => {
  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ...["0.0.0.0", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.0.0.192", "192.0.2.1"],
    ...["198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...["168.63.129.16", "::ffff:168.63.129.16", "192.88.99.1"],
    ...[
      "::",
      "::1",
      "::127.0.0.1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "::ffff:10.0.0.1",
      "::ffff:0:10.0.0.1",
    ],
    ...["fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "100::1", "4000::1"],
    ...[
      "64:ff9b::7f00:1",
      "64:ff9b:1::a00:1",
      "2002:7f00:1::",
      "2001::1",
      "2001:db8::1",
      "3fff::1",
      "5f00::1",
    ],
    ...["", "127.1", "0x7f.0.0.1", "2130706433", "client.example.com"],
  ])("%s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a guarded request", () => {
  test("goes to the address that was checked, as the name that was asked for", async () => {
    const seen: (string | undefined)[] = [];
    const port = await httpsServer(certificate, (request, response) => {
      seen.push(request.headers.host, request.url);
      response.writeHead(200, { "content-type": "application/json", "cache-control": "max-age=5" });
      response.end('{"a":1}');
    });
    const { asked, lookup } = resolver("127.0.0.1");
    const answer = await guarded({ lookup })(`https://${NAME}:${port}/a?b=c`);
    expect(await answer.json()).toEqual({ a: 1 });
    expect(answer.headers.get("cache-control")).toBe("max-age=5");
    expect(seen).toEqual([`${NAME}:${port}`, "/a?b=c"]);
    // Once: a second answer could be another.
    expect(asked).toEqual([NAME]);
  });

  test.each([
    ["http://client.example.com/"],
    ["ftp://client.example.com/"],
    ["data:application/json,{}"],
    ["file:///etc/passwd"],
    ["https://127.0.0.1/"],
    ["https://127.1/"],
    ["https://2130706433/"],
    ["https://0x7f000001/"],
    ["https://[::1]/"],
    ["https://[::ffff:127.0.0.1]/"],
    ["https://169.254.169.254/latest/meta-data"],
    ["https://10.0.0.1/"],
    ["https://[fd00:ec2::254]/"],
  ])("to %s is refused", async (url) => {
    await expect(createGuardedFetch(resolver("8.8.8.8"))(url)).rejects.toThrow(OutboundRefused);
  });

  test("with credentials in its address cannot be made", async () => {
    await expect(guarded()("https://a:b@client.example.com/")).rejects.toThrow();
  });

  test("with a body is refused", async () => {
    await expect(guarded()(`https://${NAME}/`, { method: "POST", body: "x" })).rejects.toThrow(
      OutboundRefused,
    );
  });

  test.each([
    [["10.0.0.1"]],
    [["8.8.8.8", "127.0.0.1"]],
    [["8.8.8.8", "::ffff:192.168.0.1"]],
    [["169.254.169.254"]],
    [["::1"]],
    [[]],
  ])("to a name that is %j is refused", async (addresses) => {
    const fetch = createGuardedFetch(resolver(...addresses));
    await expect(fetch(`https://${NAME}/`)).rejects.toThrow(OutboundRefused);
  });

  test("reaches this machine only if it was made to", async () => {
    const fetch = guarded({ allowLoopback: false });
    await expect(fetch(`https://${NAME}/`)).rejects.toThrow("no address on the public internet");
  });

  test("says no more of a name that leads inside than of one that does not exist", async () => {
    const absent = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    const lookups: Lookup[] = [
      () => Promise.reject(absent),
      async () => [],
      async () => [{ address: "10.0.0.1", family: 4 }],
      async () => [
        { address: "8.8.8.8", family: 4 },
        { address: "fd00::1", family: 6 },
      ],
    ];
    const refusals = await Promise.all(
      lookups.map((lookup) => createGuardedFetch({ lookup })(`https://${NAME}/`).catch((error) => error)),
    );
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(OutboundRefused);
      const { message, reason } = refusal as OutboundRefused;
      expect({ message, reason }).toEqual({
        message: "The name has no address on the public internet.",
        reason: "no_public_address",
      });
    }
  });

  test("does not follow a redirect", async () => {
    let requests = 0;
    const port = await httpsServer(certificate, (_, response) => {
      requests += 1;
      response.writeHead(302, { location: `https://${NAME}:${port}/next` }).end();
    });
    const answer = await guarded()(`https://${NAME}:${port}/`);
    expect(answer.status).toBe(302);
    expect(requests).toBe(1);
  });

  test("takes no more than its bytes, said beforehand or not", async () => {
    const port = await httpsServer(certificate, (request, response) => {
      response.writeHead(200);
      response.end("x".repeat(request.url === "/fits" ? 64 * 1024 : 64 * 1024 + 1));
    });
    const fits = await guarded()(`https://${NAME}:${port}/fits`);
    expect((await fits.text()).length).toBe(64 * 1024);
    await expect(guarded()(`https://${NAME}:${port}/over`)).rejects.toThrow(OutboundRefused);
  });

  test("takes no longer than its time: for an answer, its body, or a name", async () => {
    const port = await httpsServer(certificate, (request, response) => {
      if (request.url === "/body") response.writeHead(200).write("x");
    });
    const fetch = guarded({ timeoutMs: 300 });
    await expect(fetch(`https://${NAME}:${port}/silent`)).rejects.toThrow();
    await expect(fetch(`https://${NAME}:${port}/body`)).rejects.toThrow();
    const nameless = guarded({ timeoutMs: 300, lookup: () => new Promise(() => {}) });
    await expect(nameless(`https://${NAME}/`)).rejects.toThrow(OutboundRefused);
  });

  test("is given up with its signal", async () => {
    const port = await httpsServer(certificate, () => {});
    const given = AbortSignal.abort();
    await expect(guarded()(`https://${NAME}:${port}/`, { signal: given })).rejects.toThrow();
  });

  test("trusts a certificate for that name only", async () => {
    const port = await httpsServer(certificate, (_, response) => response.end("x"));
    await expect(guarded()(`https://other.example.com:${port}/`)).rejects.toThrow();
    const untrusting = createGuardedFetch({ ...resolver("127.0.0.1"), allowLoopback: true });
    await expect(untrusting(`https://${NAME}:${port}/`)).rejects.toThrow();
  });
});
