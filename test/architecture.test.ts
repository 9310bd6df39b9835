import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** What each room may import besides itself. Rooms not named (the composition at the top) may import everything. */
const ROOMS: Readonly<Record<string, { rooms: readonly string[]; packages: readonly string[] }>> = {
  recall: { rooms: [], packages: ["gpt-tokenizer", "opencc-js"] },
  contract: { rooms: ["recall"], packages: ["zod"] },
  core: { rooms: ["recall", "contract"], packages: ["zod", "dinero.js"] },
  adapters: {
    rooms: ["recall", "core", "contract"],
    packages: [
      "postgres",
      "srvx",
      "uuidv7",
      "@elastic/elasticsearch",
      "better-auth",
      "@better-auth/cimd",
      "@better-auth/mcp",
      "@better-auth/oauth-provider",
      "kysely",
      "kysely-postgres-js",
      "yaml",
      "bun:sqlite",
      "ipaddr.js",
      "prom-client",
      "@opentelemetry/api",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-base",
      "zod",
    ],
  },
  surfaces: {
    rooms: ["recall", "core", "contract"],
    packages: ["elysia", "@modelcontextprotocol/server", "@trpc/server", "zod", "ipaddr.js"],
  },
  worker: { rooms: ["recall", "core"], packages: [] },
  client: {
    rooms: ["recall", "adapters"],
    // Of the integrations alone, each of which is imported by who uses it.
    packages: ["ai", "@langchain/core", "@langchain/langgraph-checkpoint", "@mastra/core", "@openai/agents"],
  },
};

/** What the client goes by as the service does: rules that need nothing of a server, and are small. */
const RULES_FOR_CLIENT = [
  "recall/statements/shown-pieces",
  "recall/statements/trivial",
  "recall/language/characters",
  "adapters/secret-scan/assignments",
  "adapters/secret-scan/known-tokens",
  "adapters/secret-scan/structured",
  "adapters/watch/gen-ai-operations",
];

/** The contract and surfaces share these few rules with the engine, and nothing else of it. */
const ENGINE_FOR_CONTRACT = ["recall/language/normal-form"];
const ENGINE_FOR_SURFACES = ["recall/work", "recall/pack/fit-answer"];

/** Of core, a door may know who calls, what can go wrong and what can be called; never a port's adapter or a rule. */
const CORE_FOR_SURFACES = [
  "access/accounts",
  "access/oauth",
  "application",
  "context/render",
  "caller",
  "error",
  "input/json",
  "access/loopback",
  "input/nearest-word",
  "input/plain-words",
  "progress",
  "input/unknown-members",
  "limits/answer-bytes",
  "session/use-cases",
  "skill/skill-call",
  "limits/rate-limiter",
  "limits/streams",
  "limits/fair-share",
  "limits/places",
  "agent/agent-claims",
  "access/team-store",
  "access/credential-store",
  "access/credential",
  "access/token-prefixes",
  "doctor/health",
  "environment",
  "watch/watch",
];

/** What would make the core depend on anything but its arguments. */
const IMPURE = /\bDate\.now\(|\bprocess\.|\bconsole\.|\bMath\.random\(|\bsetTimeout\(|\bfetch\(|new Date\(\)/;

interface Import {
  readonly file: string;
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const found = [...text.matchAll(/(?:^|\n)\s*(?:import|export)[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/g)];
  return found.map((match) => {
    const specifier = (match[1] ?? match[2]) as string;
    const target = specifier.startsWith(".") ? relative(SRC, resolve(dirname(file), specifier)) : specifier;
    return { file: relative(SRC, file), target };
  });
}

const imports = sources(SRC).flatMap(importsOf);
const roomOf = (path: string) => path.split("/")[0] as string;

/** Rooms that run where there is no Node. */
const WITHOUT_NODE = ["recall", "contract", "core", "client"];

describe.each(Object.entries(ROOMS))("the room %s", (room, allowed) => {
  test("imports only the rooms and packages it may", () => {
    const wrong = imports.filter(({ file, target }) => {
      if (roomOf(file) !== room) return false;
      if (target.startsWith("node:")) return WITHOUT_NODE.includes(room);
      if (target.endsWith(".ts")) return ![room, ...allowed.rooms].includes(roomOf(target));
      return !allowed.packages.some((name) => target === name || target.startsWith(`${name}/`));
    });
    expect(wrong).toEqual([]);
  });
});

test("an adapter imports no other adapter, only files beside them", () => {
  const adapterOf = (path: string) => path.split("/").at(1);
  const isShared = (path: string) => path.split("/").length === 2;
  const wrong = imports.filter(
    ({ file, target }) =>
      roomOf(file) === "adapters" &&
      target.startsWith("adapters/") &&
      adapterOf(file) !== adapterOf(target) &&
      !isShared(target),
  );
  expect(wrong).toEqual([]);
});

test("a surface reaches the core by its few doors only", () => {
  const wrong = imports.filter(
    ({ file, target }) =>
      roomOf(file) === "surfaces" &&
      target.startsWith("core/") &&
      !CORE_FOR_SURFACES.includes(target.slice("core/".length, -".ts".length)),
  );
  expect(wrong).toEqual([]);
});

test("the client shares a few rules with the service, and nothing of the service knows the client", () => {
  const isOfClient = (path: string) => roomOf(path) === "client";
  const wrong = imports.filter(({ file, target }) => {
    if (isOfClient(target)) return !isOfClient(file);
    const isFramework = file.startsWith("client/integrations/") && !target.endsWith(".ts");
    return isOfClient(file) && !isFramework && !RULES_FOR_CLIENT.includes(target.slice(0, -".ts".length));
  });
  expect(wrong).toEqual([]);
});

test("a surface imports no other surface, only what they share", () => {
  const wrong = imports.filter(({ file, target }) => {
    const room = target.split("/")[1] as string;
    return (
      roomOf(file) === "surfaces" &&
      target.startsWith("surfaces/") &&
      room !== file.split("/")[1] &&
      room !== "http"
    );
  });
  expect(wrong).toEqual([]);
});

test("the recall engine is known to the contract and to surfaces by a few rules only", () => {
  const shared: Readonly<Record<string, readonly string[]>> = {
    contract: ENGINE_FOR_CONTRACT,
    surfaces: ENGINE_FOR_SURFACES,
  };
  const wrong = imports.filter(
    ({ file, target }) =>
      target.startsWith("recall/") &&
      shared[roomOf(file)]?.includes(target.slice(0, -".ts".length)) === false,
  );
  expect(wrong).toEqual([]);
});

test.each(["core", "recall"])("the room %s reads no clock, environment, network or chance", (room) => {
  const wrong = sources(join(SRC, room)).filter((file) => {
    const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    return IMPURE.test(code);
  });
  expect(wrong.map((file) => relative(SRC, file))).toEqual([]);
});

test("no files import each other in a circle, types included", () => {
  const graph = new Map<string, string[]>();
  for (const { file, target } of imports) graph.set(file, [...(graph.get(file) ?? []), target]);
  const circles = circlesIn(graph);
  expect(circles.map((circle) => circle.join(" → "))).toEqual([]);
});

test.each(["core", "recall"])("no rooms of %s depend on each other in a circle", (whole) => {
  const roomsOf = (path: string) => new RegExp(`^${whole}/([a-z-]+)/`).exec(path)?.[1];
  const graph = new Map<string, string[]>();
  for (const { file, target } of imports) {
    const [room, other] = [roomsOf(file), roomsOf(target)];
    if (room && other && room !== other) graph.set(room, [...(graph.get(room) ?? []), other]);
  }
  expect(circlesIn(graph).map((circle) => circle.join(" → "))).toEqual([]);
});

/**
 * A circle for each set of nodes that reach each other, from a node back to itself: the shortest there is through that
 * node. Nodes that only lead to a circle are in none.
 */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const known = new Set<string>();
  const circles: string[][] = [];
  for (const start of [...graph.keys()].sort()) {
    if (known.has(start)) continue;
    const circle = shortestWay(graph, start, start);
    if (circle === null) continue;
    for (const node of reachableFrom(graph, start))
      if (reachableFrom(graph, node).has(start)) known.add(node);
    circles.push(circle);
  }
  return circles;
}

function reachableFrom(graph: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const reached = new Set(graph.get(start));
  for (const node of reached) for (const next of graph.get(node) ?? []) reached.add(next);
  return reached;
}

/** The nodes of the shortest way that leads over at least one edge; null where there is none. */
function shortestWay(
  graph: ReadonlyMap<string, readonly string[]>,
  from: string,
  to: string,
): string[] | null {
  const ways = new Map<string, string[]>([[from, [from]]]);
  for (const [node, way] of ways) {
    for (const next of graph.get(node) ?? []) {
      if (next === to) return [...way, to];
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return null;
}

/** Where HTTP carries a member, as the first word of an issue's `loc`. No member of an input is called body or header. */
const HTTP_PLACE = /"(?:body|header)"|\["(?:query|path)", /;

test("the core names members, and leaves it to the doors where they are carried", () => {
  const wrong = sources(join(SRC, "core")).filter((file) => HTTP_PLACE.test(readFileSync(file, "utf8")));
  expect(wrong.map((file) => relative(SRC, file))).toEqual([]);
});

/** The entries, and where child processes are given the environment they are started in. */
const READS_ENVIRONMENT = /^(main|cli\/(open|main)|adapters\/embedded-postgres\/[a-z-]+)\.ts$/;

test("only the entries read the environment", () => {
  const readers = sources(SRC).filter((file) =>
    /process\.env|Deno\.env|Bun\.env/.test(readFileSync(file, "utf8")),
  );
  expect(readers.map((file) => relative(SRC, file)).filter((file) => !READS_ENVIRONMENT.test(file))).toEqual(
    [],
  );
});
