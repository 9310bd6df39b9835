/**
 * The proxies of docs/operations/proxy.md with the configuration that stands there, in front of a server as users start it.
 * Each is tried where its program is on the path.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { blocksOf } from "../documents/support/blocks.ts";
import { freePort } from "../support/free-port.ts";
import { eventually } from "../support/processes.ts";
import { home, KEY, startServer } from "../support/server.ts";

const page = fileURLToPath(new URL("../../docs/operations/proxy.md", import.meta.url));
const NAME = "memory.example";

function blockThatSays(word: string): string {
  const block = blocksOf(page).find(({ code }) => code.includes(word));
  if (block === undefined) throw new Error(`${page} has no block with ${word}.`);
  return block.code;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly upstream: string;
}

interface Proxy {
  readonly program: string;
  /** What writes the configuration, as the page has it but for where it listens and where the server is. */
  configure(at: Place): void;
  args(folder: string): readonly string[];
}

const PROXIES: readonly Proxy[] = [
  {
    program: "nginx",
    configure({ folder, port, upstream }) {
      const server = blockThatSays("server_name")
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replaceAll("/etc/ssl/", `${folder}/`)
        .replace("http://127.0.0.1:8787", upstream);
      const files = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join(" ");
      const main = `daemon off; pid ${folder}/pid; error_log stderr; events {}`;
      writeFileSync(join(folder, "nginx.conf"), `${main}\nhttp { access_log off; ${files}\n${server}}\n`);
    },
    args: (folder) => ["-e", "stderr", "-c", join(folder, "nginx.conf")],
  },
  {
    program: "caddy",
    configure({ folder, port, upstream }) {
      const text = blockThatSays("reverse_proxy")
        .replace("{\n", "{\n  admin off\n  auto_https disable_redirects\n")
        .replace(`${NAME} {`, `${NAME}:${port} {\n  tls ${folder}/${NAME}.pem ${folder}/${NAME}.key`)
        .replace("127.0.0.1:8787", upstream.replace("http://", ""));
      writeFileSync(join(folder, "Caddyfile"), text);
    },
    args: (folder) => ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")],
  },
];

const isThere = (program: string) => spawnSync(program, ["version"]).error === undefined;

describe.each(PROXIES)("$program", ({ program, configure, args }) => {
  const missing = [program, "curl", "openssl"].filter((each) => !isThere(each));
  test.skipIf(missing.length > 0)(
    "passes long questions, streams and the way to sign in",
    { timeout: 300_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "recollect-proxy-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${NAME} -addext subjectAltName=DNS:${NAME}`;
      const files = ["-keyout", join(folder, `${NAME}.key`), "-out", join(folder, `${NAME}.pem`)];
      expect(spawnSync("openssl", [...request.split(" "), ...files]).status).toBe(0);

      const { url: upstream } = await startServer(await home(), "node", {
        PUBLIC_URL: `https://${NAME}`,
        ALLOWED_HOSTS: "127.0.0.1",
        TRUSTED_PROXIES: "127.0.0.1",
      });
      const port = await freePort();
      configure({ folder, port, upstream });
      const proxy = spawn(program, args(folder), { env: { ...process.env, HOME: folder }, stdio: "ignore" });
      onTestFinished(() => void proxy.kill());

      const common = [
        "-sS",
        "--cacert",
        join(folder, `${NAME}.pem`),
        "--resolve",
        `${NAME}:${port}:127.0.0.1`,
      ];
      const curl = (path: string, ...more: string[]) => [
        ...common,
        `https://${NAME}:${port}${path}`,
        "-H",
        `Host: ${NAME}`,
        ...more,
      ];
      const said = (path: string, ...more: string[]) =>
        spawnSync("curl", curl(path, ...more), { encoding: "utf8" }).stdout;
      await eventually(program, async () => said("/readyz").includes('"ready"') || undefined);

      const key = ["-H", `X-API-Key: ${KEY}`];
      expect(said(`/v1/recall?query=${"q".repeat(17_000)}`, ...key)).toContain('"results"');
      expect(said("/mcp", "-X", "POST", "-i")).toContain(
        `resource_metadata="https://${NAME}/.well-known/oauth-protected-resource/mcp"`,
      );
      expect(said("/oauth2/authorize?response_type=code", "-i")).not.toContain(upstream);

      const events = spawn("curl", curl("/v1/events", "-N", "-H", "Accept: text/event-stream", ...key));
      onTestFinished(() => void events.kill());
      let heard = "";
      events.stdout.on("data", (chunk) => {
        heard += String(chunk);
      });
      await eventually("the stream", async () => heard !== "" || undefined);
      const memory = JSON.stringify({ content: "A proxy passes it on.", path: "proxies" });
      said("/v1/remember", "-H", "Content-Type: application/json", "-d", memory, ...key);
      await eventually("the event", async () => heard.includes("memory.created") || undefined);
    },
  );
});
