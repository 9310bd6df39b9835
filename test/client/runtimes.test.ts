/** Runtimes differ in what they make of a connection that breaks. The client does not. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runtimes } from "../support/server.ts";
import {
  answers,
  cuts,
  hangsUp,
  refuses,
  type Step,
  saysNothing,
  scriptedServer,
} from "./scripted-server.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const TRIAL = "test/fixtures/client-trial.ts";
const COMMANDS = {
  bun: ["node_modules/.bin/bun", TRIAL],
  deno: ["node_modules/.bin/deno", "run", "-A", TRIAL],
  node: [process.execPath, "--import", "tsx", TRIAL],
} as const;

const DONE = { id: "m" };
const json = { "content-type": "application/json" };

/** What the first attempt meets. The next one is answered, unless it is the same for all. */
const FIRST: Readonly<Record<string, Step>> = {
  "hangs-up": hangsUp,
  cut: cuts(201, '{"id":'),
  early: answers(201, '{"id":'),
  "refusal-cut": cuts(404, '{"detail":"The'),
  silent: saysNothing,
  half: (_, response) => void response.writeHead(201, json).write('{"id"'),
};
const ALWAYS: Readonly<Record<string, Step>> = {
  moved: (_, response) => void response.writeHead(307, { location: "/v1/elsewhere" }).end(),
  page: answers(403, "<html>", { "content-type": "text/html" }),
  refusal: refuses(409, "conflict"),
};

const events: Step = ({ url }, response) => {
  const from = Number(/after=evt_(\d+)/.exec(url)?.[1]);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("retry: 1\n\n");
  for (const number of [from + 1, from + 2]) {
    const event = { id: `evt_${number}`, type: "memory.created", timestamp: "", data: { subject: "memory" } };
    response.write(`id: evt_${number}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.write("data: {", () => response.destroy());
};

test.each(runtimes)("what comes of each failure is the same on %s", { timeout: 180_000 }, async (runtime) => {
  const seen = new Map<string, string | undefined>();
  const server = await scriptedServer((request, response, number) => {
    const fault = String(request.headers["x-project-id"]);
    const key = request.headers["idempotency-key"] as string | undefined;
    const isFirst = !seen.has(fault);
    if (!isFirst) expect(seen.get(fault)).toBe(key);
    seen.set(fault, key);
    const step = request.url.startsWith("/v1/events")
      ? events
      : (ALWAYS[fault] ?? (isFirst ? FIRST[fault] : answers(201, DONE)));
    step?.(request, response, number);
  });
  const [program, ...args] = COMMANDS[runtime];
  const { stdout } = await promisify(execFile)(program, [...args, server.url], { cwd: repository });
  const final = { isOutcomeUnknown: false, attempts: 1 };
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    ...Object.keys(FIRST).map((name) => ({ name, answer: DONE })),
    { name: "moved", code: "unexpected_answer", status: 307, ...final },
    { name: "page", code: "unexpected_answer", status: 403, ...final },
    { name: "refusal", code: "conflict", status: 409, ...final },
    { name: "aborted", thrown: "enough" },
    { name: "events", answer: ["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"] },
  ]);
  expect(server.arrived.map(({ url }) => url)).not.toContain("/v1/elsewhere");
});
