import { createCredentialStore } from "../../src/adapters/postgres/access/credential-store.ts";
import { connect, type Sql } from "../../src/adapters/postgres/database/client.ts";
import type { TokenKind } from "../../src/contract/credential.ts";
import { type Scope, scopes } from "../../src/contract/scope.ts";
import type { Home, Running } from "../speed/processes.ts";
import type { Cost } from "./doubling.ts";
import { processorMs, quiet } from "./processor-time.ts";

/** A request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A server with a database of its own, and what its requests cost. */
export class Target {
  readonly #server: Running;
  readonly #sql: Sql;

  private constructor(server: Running, sql: Sql) {
    this.#server = server;
    this.#sql = sql;
  }

  static async start(home: Home): Promise<Target> {
    const server = await home.server();
    return new Target(server, connect(await home.database(), 1));
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** The secret of a credential of that kind, of an owner of that name. */
  async credential(owner: string, kind: TokenKind = "api_key"): Promise<string> {
    if (kind === "agent_temporary") return this.#registered(owner);
    const store = createCredentialStore(this.#sql);
    const { id } = await store.ensureOwner("user", owner);
    const space = { teamId: null, projects: null, pathPrefix: null, buckets: null };
    const { secret } = await store.issue({
      kind,
      ownerId: id,
      name: null,
      scopes: Object.keys(scopes) as Scope[],
      space,
      expiresAt: null,
    });
    return secret;
  }

  async send({ method, path, headers = {}, body }: HttpRequest, secret: string): Promise<HttpAnswer> {
    const response = await fetch(this.#server.url + path, {
      method,
      headers: {
        ...(secret === "" ? {} : { "x-api-key": secret }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    return { status: response.status, body: isJson && text !== "" ? JSON.parse(text) : text };
  }

  /** What a request costs of all processors, the database's and what is left to do behind the answer included. */
  async cost(request: HttpRequest, secret: string): Promise<Cost> {
    await quiet(this.pid);
    const before = processorMs(this.pid);
    const { status } = await this.send(request, secret);
    await quiet(this.pid);
    return { ms: processorMs(this.pid) - before, status };
  }

  /** Makes the owner a member of so many teams, each of which has one memory. */
  async join(owner: string, from: number, to: number): Promise<void> {
    const store = createCredentialStore(this.#sql);
    const { id } = await store.ensureOwner("user", owner);
    for (let n = from; n < to; n += 1) {
      const team = await store.ensureOwner("team", `${owner}'s team ${n}`);
      await this.#sql`insert into team_members (team_id, user_id, role) values (${team.id}, ${id}, 'member')`;
    }
  }

  /** Opens an event stream and reads it until the signal. */
  async stream(secret: string, signal: AbortSignal): Promise<void> {
    const headers = { "x-api-key": secret, accept: "text/event-stream" };
    const response = await fetch(`${this.#server.url}/v1/events`, { headers, signal });
    if (response.status !== 200) throw new Error(`A stream was answered ${response.status}.`);
    const read = async () => {
      for await (const _ of response.body ?? []);
    };
    read().catch(() => {});
  }

  async settle(): Promise<void> {
    await this.#sql`vacuum analyze`;
    await quiet(this.pid);
  }

  async stop(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  async #registered(name: string): Promise<string> {
    const body = { entry_type: "bench", client_name: name, installation_fingerprint: name };
    const request = { method: "POST", path: "/v1/agents/register", body: JSON.stringify(body) };
    const answer = await this.send(request, "");
    return (answer.body as { temporary_token: string }).temporary_token;
  }
}
