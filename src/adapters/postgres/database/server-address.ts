/** Parses `DATABASE_URL` in the forms that libpq supports. The driver supports only some of them. */

/** Acceptable servers of the list: any, those that can be written to, or those that are not replicas. */
export type Target = "any" | "read-write" | "primary";

/** How a TLS connection verifies the server. `plain`: no TLS. `unverified`: TLS without verification. */
export type Trust = "plain" | "prefer" | "unverified" | "authority" | "authority and host";

export interface ServerAddress {
  /** The rest of the URL, for the driver: user, password, database, parameters of the session, and the first host. */
  readonly url: string;
  /** Hosts in the order in which they are tried. Empty if the URL names none. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly target: Target;
  readonly trust: Trust;
  /** Path of a PEM file with the trusted certificates; null: those of the runtime. */
  readonly caFile: string | null;
}

const PORT = 5432;

/**
 * Reads `postgres://user:password@host:port,host:port/database?parameters`. `caFile` is as `sslrootcert`. Throws an
 * error whose message says what is wrong and contains nothing of the URL.
 */
export function readServerAddress(url: string, caFile: string | null = null): ServerAddress {
  const [, scheme, authority, rest] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/.exec(url) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined)
    throw new Error("must be a postgres:// or postgresql:// URL");
  const at = authority.lastIndexOf("@") + 1;
  const names = authority.slice(at).split(",");
  const hosts = authority.slice(at) === "" ? [] : names.map(readHost);
  const first = `${scheme}${authority.slice(0, at)}${names[0]}${rest}`;
  if (!URL.canParse(first)) throw new Error("must be a postgres:// or postgresql:// URL");
  const single = new URL(first);
  const parameters = single.searchParams;
  const take = (name: string): string | null => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const target = readTarget(take("target_session_attrs"), hosts.length);
  const tls = readTls(take("sslmode") ?? take("ssl"), readCaFile(take("sslrootcert"), caFile));
  const unknown = ["sslcert", "sslkey", "sslpassword", "sslcrl", "host", "hostaddr", "port"].find((name) =>
    parameters.has(name),
  );
  if (unknown !== undefined) throw new Error(`does not take the parameter ${unknown}`);
  return { url: single.href, hosts, target, ...tls };
}

function readHost(name: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(name) ?? [];
  const host = bracketed ?? plain;
  const number = Number(port ?? PORT);
  if (host === undefined || number < 1 || number > 65_535)
    throw new Error("must name hosts as host, host:port or [address]:port, with commas between them");
  return { host: decodeURIComponent(host), port: number };
}

/** With several servers, the default is one that can be written to: a service that writes cannot use a replica. */
function readTarget(value: string | null, hosts: number): Target {
  if (value === null) return hosts > 1 ? "read-write" : "any";
  if (value === "any" || value === "read-write" || value === "primary") return value;
  throw new Error("target_session_attrs must be any, read-write or primary: the service writes");
}

interface Authorities {
  readonly caFile: string | null;
  /** True if the operator has named authorities to trust, including the runtime's own list. */
  readonly isGiven: boolean;
}

function readCaFile(rootCert: string | null, caFile: string | null): Authorities {
  if (rootCert !== null && caFile !== null)
    throw new Error("names sslrootcert, and DATABASE_CA_FILE is set: keep one of them");
  const file = rootCert === "system" ? null : (rootCert ?? caFile);
  return { caFile: file, isGiven: rootCert !== null || caFile !== null };
}

/** The modes of libpq. If an authority is given, modes that would not use it are refused. */
function readTls(
  mode: string | null,
  { caFile, isGiven }: Authorities,
): Pick<ServerAddress, "trust" | "caFile"> {
  const trust = TRUST_BY_MODE[mode ?? (isGiven ? "verify-full" : "disable")];
  if (trust === undefined)
    throw new Error("sslmode must be disable, prefer, require, verify-ca or verify-full");
  // As in libpq: naming an authority with `require` means that the certificate must be verified.
  if (isGiven && mode === "require") return { trust: "authority", caFile };
  if (isGiven && (trust === "plain" || trust === "prefer" || trust === "unverified"))
    throw new Error(`sslmode=${mode} would not look at the certificates that are given: verify-full does`);
  return { trust, caFile };
}

const TRUST_BY_MODE: Readonly<Record<string, Trust>> = {
  disable: "plain",
  false: "plain",
  allow: "prefer",
  prefer: "prefer",
  require: "unverified",
  true: "unverified",
  "verify-ca": "authority",
  "verify-full": "authority and host",
};
