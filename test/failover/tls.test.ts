/** TLS to a real Postgres, with certificates made for the test, on each runtime. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { explainDatabaseFailure, isUnavailable } from "../../src/adapters/postgres/database/failure.ts";
import { readConfig } from "../../src/compose/config.ts";
import { type Cluster, ownCluster, POSTGRES_PROGRAMS } from "../support/own-cluster.ts";
import { type Runtime, runtimes } from "../support/server.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/database-probe.ts", import.meta.url));
const COMMANDS: Readonly<Record<Runtime, readonly string[]>> = {
  bun: ["node_modules/.bin/bun", "run"],
  deno: ["node_modules/.bin/deno", "run", "-A", "--quiet"],
  node: ["node_modules/.bin/tsx"],
};

let folder: string;
let cluster: Cluster;
beforeEach(async () => {
  if (POSTGRES_PROGRAMS === null) return;
  folder = mkdtempSync(join(tmpdir(), "recollect-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["authority", "stranger"]) authority(name);
  openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=database",
    "-keyout",
    "key.pem",
    "-out",
    "request.pem",
  );
  openssl(
    ...[
      "x509",
      "-req",
      "-in",
      "request.pem",
      "-CA",
      "authority.pem",
      "-CAkey",
      "authority.key",
      "-CAcreateserial",
    ],
    ...["-days", "1", "-out", "server.pem", "-extfile", "names"],
  );
  const file = (name: string) => readFileSync(join(folder, name), "utf8");
  cluster = await ownCluster({
    settings: { ssl: "on" },
    files: { "server.crt": file("server.pem"), "server.key": file("key.pem") },
    // The user of the service comes by TLS alone.
    access: ["host all owner 127.0.0.1/32 trust", "hostssl service service 127.0.0.1/32 trust"],
  });
});

function openssl(...args: string[]): void {
  execFileSync("sh", ["-c", 'printf "subjectAltName=IP:127.0.0.1\\n" > names'], { cwd: folder });
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
}

function authority(name: string): void {
  openssl(
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${name}`],
    ...["-keyout", `${name}.key`, "-out", `${name}.pem`],
  );
}

/** What becomes of a statement on such a pool: whether the session is encrypted, or the code of the error. */
function probed(runtime: Runtime, url: string, caFile: string | null): string {
  const [program, ...args] = COMMANDS[runtime] as [string, ...string[]];
  return execFileSync(program, [...args, FIXTURE, url, caFile ?? ""], { encoding: "utf8" }).trim();
}

const certificate = (name: string) => join(folder, `${name}.pem`);

describe.skipIf(POSTGRES_PROGRAMS === null)("TLS to the database", () => {
  test.each(runtimes)("on %s asks the authority that is given, and for the host", (runtime) => {
    const here = cluster.url();
    const elsewhere = here.replace("127.0.0.1", "localhost");
    const [ours, stranger] = [certificate("authority"), certificate("stranger")];
    const refused = (code: string) => {
      const error = Object.assign(new Error(), { code });
      return [code.startsWith("refused"), isUnavailable(error), explainDatabaseFailure(error)];
    };
    expect(probed(runtime, here, ours)).toBe("encrypted");
    expect(probed(runtime, `${here}?sslrootcert=${ours}`, null)).toBe("encrypted");
    expect(probed(runtime, `${here}?sslmode=require`, null)).toBe("encrypted");
    // Another authority's server, and the right one by a name that its certificate has not.
    expect(refused(probed(runtime, here, stranger))).toEqual([
      false,
      true,
      expect.stringContaining("is not signed by an authority that is trusted"),
    ]);
    expect(refused(probed(runtime, `${here}?sslmode=verify-full`, null))).toEqual([
      false,
      true,
      expect.stringContaining("is not signed by an authority that is trusted"),
    ]);
    expect(refused(probed(runtime, elsewhere, ours))).toEqual([
      false,
      true,
      expect.stringContaining("is for another host"),
    ]);
    expect(probed(runtime, `${elsewhere}?sslmode=verify-ca`, ours)).toBe("encrypted");
    expect(probed(runtime, `${here}?sslmode=verify-ca`, stranger)).not.toBe("encrypted");
    // Without TLS this server takes nobody of that name.
    expect(probed(runtime, here, null)).toBe("28000");
  });

  test("a server without TLS is not spoken to where TLS is asked for", async () => {
    const plain = await ownCluster();
    expect(probed("node", plain.url(), certificate("authority"))).toBe("TLS_NOT_OFFERED");
  });

  test("settings that contradict each other, or a file without certificates, stop the start without the URL", () => {
    const url = "postgres://me:hidden@db.example/recollect";
    const refusal = (DATABASE_URL: string, DATABASE_CA_FILE?: string) => {
      try {
        readConfig({ DATABASE_URL, DATABASE_CA_FILE });
      } catch (error) {
        return (error as Error).message;
      }
      return null;
    };
    const ours = certificate("authority");
    expect(refusal(url, ours)).toBeNull();
    expect(refusal(`${url}?sslmode=disable`, ours)).toMatch(
      /^DATABASE_URL sslmode=disable would not look at/,
    );
    expect(refusal(`${url}?sslrootcert=${ours}`, ours)).toMatch(/keep one of them/);
    expect(refusal(url, join(folder, "none.pem"))).toBe("DATABASE_CA_FILE: this file cannot be read.");
    expect(refusal(url, join(folder, "key.pem"))).toBe(
      "DATABASE_CA_FILE: this file holds no certificate in PEM.",
    );
    expect(refusal(`${url}?sslmode=sometimes`)).toMatch(/^DATABASE_URL sslmode must be/);
    expect(refusal(`${url}?sslcert=x`)).toMatch(/does not take the parameter sslcert/);
    expect(refusal(`${url}?target_session_attrs=standby`)).toMatch(/the service writes/);
    expect(refusal("postgres://a:1,b:99999/c")).toMatch(/must name hosts as/);
    expect(refusal("mysql://a/c")).toMatch(/must be a postgres/);
    for (const wrong of [`${url}?sslmode=hidden`, "postgres://me:hidden@a:x/c"])
      expect(refusal(wrong)).not.toContain("hidden@");
  });
});
