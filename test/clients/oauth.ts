/** Coding agents that were let in by OAuth: two windows that refresh at once, and a server whose data was replaced. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../protocol/run.ts";
import { type Server, startServer } from "../protocol/server.ts";
import type { Outcome } from "../protocol/suite.ts";
import { alone, type Check, outcomeOf, placeOf, runAgent } from "./coding-agent.ts";
import { type Person, personAt, signInFor } from "./person.ts";
import type { Tools } from "./tools.ts";

const WITHIN_MS = 400_000;

interface Place {
  readonly home: string;
  readonly project: string;
}

/** How one agent is signed in, used and outdated. Each answers what the agent wrote. */
interface Agent {
  /** Lets the agent in, by its own sign-in where a program can do that. */
  signIn(place: Place, server: Server, person: Person): Promise<string>;
  /** Uses the server: whether the agent reached it with what it keeps. */
  use(place: Place): Promise<{ readonly isConnected: boolean; readonly output: string }>;
  /** Makes what the agent keeps look as if its access token had expired. */
  outdate(place: Place): void;
}

async function lifeOf(agent: Agent, folder: string): Promise<Outcome> {
  const first = await startServer();
  const place = placeOf(folder);
  const written: string[] = [];
  const checks: Check[] = [];
  const used = async (at: Place): Promise<boolean> => {
    const { isConnected, output } = await agent.use(at);
    written.push(output);
    return isConnected;
  };
  let running = first;
  try {
    written.push(await agent.signIn(place, first, await personAt(first)));
    checks.push(["it is connected after it signed in", await used(place)]);
    agent.outdate(place);
    const other = { ...place, home: `${place.home}-2` };
    cpSync(place.home, other.home, { recursive: true });
    const windows = await Promise.all([used(place), used(other)]);
    checks.push(["two windows refresh at once, and both are connected", windows.every(Boolean)]);
    agent.outdate(place);
    checks.push(["it refreshes again", await used(place)]);

    await first.stop();
    running = await startServer(first);
    agent.outdate(place);
    checks.push(["with the data replaced it is not connected", !(await used(place))]);
    written.push(await agent.signIn(place, running, await personAt(running)));
    checks.push(["it signs in anew, and nobody has deleted anything", await used(place)]);
  } finally {
    await running.stop();
  }
  return outcomeOf({ code: 0, output: written.join("\n---\n"), asked: [], left: 0 }, checks);
}

const runIn = (place: Place, command: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  start(alone(place.home, command, env), { cwd: place.project, withinMs: WITHIN_MS }).ran;

function changeJson(file: string, change: (value: unknown) => unknown): void {
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8"))), null, 2), {
    mode: 0o600,
  });
}

/** Signs in by `codex mcp login`. Its own document is not read here: it registers. */
export function codexByOAuth(tools: Tools, folder: string): Promise<Outcome> {
  const credentials = ({ home }: Place) => join(home, ".codex/.credentials.json");
  const configuration = (serverUrl: string, modelUrl: string) =>
    [
      'mcp_oauth_credentials_store = "file"',
      'model = "scripted"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "A scripted model"',
      `base_url = "${modelUrl}/v1"`,
      'env_key = "SCRIPTED_KEY"',
      'wire_api = "responses"',
      "[mcp_servers.recollect]",
      `url = "${serverUrl}/mcp"`,
      "required = false",
    ].join("\n");
  let serverUrl = "";
  const configure = ({ home }: Place, modelUrl: string) => {
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex/config.toml"), configuration(serverUrl, modelUrl));
  };
  return lifeOf(
    {
      async signIn(place, server, person) {
        serverUrl = server.url;
        configure(place, "http://127.0.0.1:9");
        const command = [tools.codex, "mcp", "login", "recollect", "--oauth-client-registration", "dcr"];
        let isAllowed = false;
        const { output } = await start(alone(place.home, command), {
          cwd: place.project,
          withinMs: WITHIN_MS,
          onOutput(all) {
            const address = /http:\/\/\S+\/oauth2\/authorize\?\S+(?=\s)/.exec(all)?.[0];
            if (address === undefined || isAllowed) return;
            isAllowed = true;
            void person.allow(address).then((answer) => fetch(answer));
          },
        }).ran;
        return output;
      },
      async use(place) {
        const ran = await runAgent(place, [{ text: "Done." }], (model) => {
          configure(place, model.url);
          return {
            command: [tools.codex, "exec", "--skip-git-repo-check", "--json", "Say that you are done."],
            env: { SCRIPTED_KEY: "sk-scripted" },
          };
        });
        return { isConnected: ran.asked.some((body) => body.includes("recall_context")), output: ran.output };
      },
      outdate: (place) =>
        changeJson(credentials(place), (kept) =>
          Object.fromEntries(
            Object.entries(kept as Record<string, object>).map(([name, one]) => [
              name,
              { ...one, expires_at: 1 },
            ]),
          ),
        ),
    },
    folder,
  );
}

/** `/mcp auth` needs a terminal: what it would have stored is stored for it. */
export function geminiByOAuth(tools: Tools, folder: string): Promise<Outcome> {
  const file = ({ home }: Place) => join(home, ".gemini/mcp-oauth-tokens.json");
  return lifeOf(
    {
      async signIn(place, server, person) {
        mkdirSync(join(place.home, ".gemini"), { recursive: true });
        const url = `${server.url}/mcp`;
        const settings = {
          mcpServers: { recollect: { type: "http", url } },
          security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        };
        writeFileSync(join(place.home, ".gemini/settings.json"), JSON.stringify(settings));
        const { clientId, accessToken, refreshToken, scope } = await signInFor(server, person, "Gemini CLI");
        const expiresAt = Date.now() + 600_000;
        const kept = {
          serverName: "recollect",
          token: { accessToken, refreshToken, tokenType: "Bearer", scope, expiresAt },
          clientId,
          tokenUrl: `${server.url}/oauth2/token`,
          mcpServerUrl: url,
          updatedAt: Date.now(),
        };
        writeFileSync(file(place), JSON.stringify([kept]), { mode: 0o600 });
        return "";
      },
      async use(place) {
        const env = { GEMINI_API_KEY: "scripted", NO_BROWSER: "true", GEMINI_TELEMETRY_ENABLED: "false" };
        const { output } = await runIn(place, [tools.gemini, "mcp", "list"], env);
        return { isConnected: /recollect.*- Connected/.test(output), output };
      },
      outdate(place) {
        if (!readdirSync(join(place.home, ".gemini")).includes("mcp-oauth-tokens.json")) return;
        changeJson(file(place), (kept) =>
          (kept as { token: object }[]).map((one) => ({ ...one, token: { ...one.token, expiresAt: 1 } })),
        );
      },
    },
    folder,
  );
}

/** `claude mcp login` names its own document, which is not read here: it is given a registration to keep. */
export function claudeByOAuth(tools: Tools, folder: string): Promise<Outcome> {
  const file = ({ home }: Place) => join(home, ".claude/.credentials.json");
  const env = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  const changeKept = (place: Place, change: (one: object) => object) =>
    changeJson(file(place), (kept) => {
      const { mcpOAuth } = kept as { mcpOAuth: Record<string, object> };
      const changed = Object.entries(mcpOAuth).map(([name, one]) => [name, change(one)]);
      return { ...(kept as object), mcpOAuth: Object.fromEntries(changed) };
    });
  return lifeOf(
    {
      async signIn(place, server, person) {
        const url = `${server.url}/mcp`;
        const add = ["mcp", "add", "--transport", "http", "--scope", "user", "recollect", url];
        const added = await runIn(place, [tools.claude, ...add], env);
        // Its sign-in makes the entry of the server, under a name that it derives.
        const login = await start(
          alone(place.home, ["script", "-qec", `'${tools.claude}' mcp login recollect`, "/dev/null"], env),
          { cwd: place.project, withinMs: 20_000 },
        ).ran;
        const { clientId, redirectUri, accessToken, refreshToken, scope } = await signInFor(
          server,
          person,
          "Claude Code",
        );
        const expiresAt = Date.now() + 600_000;
        changeKept(place, (one) => ({
          ...one,
          ...{ clientId, redirectUri, accessToken, refreshToken, scope, expiresAt },
        }));
        return added.output + login.output;
      },
      async use(place) {
        const { output } = await runIn(place, [tools.claude, "mcp", "list"], env);
        return { isConnected: /recollect.*Connected/.test(output), output };
      },
      outdate: (place) => changeKept(place, (one) => ({ ...one, expiresAt: 1 })),
    },
    folder,
  );
}
