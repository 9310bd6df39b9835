/** The dashboard and the alerts in `deploy/`: they can be loaded, and ask for nothing that the service does not say. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parser } from "@prometheus-io/lezer-promql";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { openWorld, type World } from "../support/world.ts";
import { type Family, familiesOf, samplesOf } from "./open-metrics.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const OPERATIONS = "docs/operations/watching.md";

interface Asked {
  readonly of: string;
  readonly expr: string;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
}

const rules: Rule[] = parse(text("deploy/prometheus/alerts.yml")).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const { panels } = JSON.parse(text("deploy/grafana/recollect.json")) as {
  panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[];
};
const asked: Asked[] = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ of: title, expr: filled(expr) })),
  ),
];

/** What Grafana puts in place of its variables. */
function filled(expr: string): string {
  return expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".+");
}

/** The metrics that an expression asks for, and the labels that it names of them; an error where it is none. */
function metricsIn(expr: string): { name: string; labels: string[] }[] {
  const found: { name: string; labels: string[] }[] = [];
  parser.parse(expr).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`No PromQL at ${node.from}: ${expr}`);
      if (node.name !== "VectorSelector") return;
      const name = expr.slice(node.from, node.to).match(/^[a-z_:]+/i)?.[0] ?? "";
      const labels = [...expr.slice(node.from, node.to).matchAll(/[{,]\s*([a-z_]+)\s*(?:=~|!~|!=|=)/gi)].map(
        ([, label]) => label as string,
      );
      found.push({ name, labels });
    },
  });
  return found;
}

let world: World;
let families: Family[];
let metrics: string;
beforeAll(async () => {
  world = await openWorld({ METRICS_TOKEN: "metrics-token-0123456789abcdef0123456789" });
  const client = await world.client();
  await client.post("/v1/remember", { content: "The tea is green.", path: "kitchen" });
  await client.get("/v1/memories/search?query=tea");
  metrics = (await world.service.watching.page?.render()) ?? "";
  families = familiesOf(metrics);
});
afterAll(() => world.close());

/** What a family's samples are called. */
function seriesOf({ name, type }: Family): string[] {
  if (type === "histogram") return [`${name}_bucket`, `${name}_count`, `${name}_sum`];
  return [type === "counter" ? `${name}_total` : name];
}

test("every metric that a panel or an alert asks for is one that the service has, with these labels", () => {
  const known = new Set(["up", ...families.flatMap(seriesOf)]);
  const ofScrape = ["job", "instance"];
  const source = readFileSync(join(ROOT, "src/adapters/watch/metrics.ts"), "utf8");
  for (const { of, expr } of asked) {
    const metrics = metricsIn(expr);
    expect([of, metrics.length > 0]).toEqual([of, true]);
    for (const { name, labels } of metrics) {
      expect([of, name, known.has(name)]).toEqual([of, name, true]);
      for (const label of labels.filter((one) => ![...ofScrape, "le"].includes(one)))
        expect([of, label, source.includes(`"${label}"`)]).toEqual([of, label, true]);
    }
  }
});

test("what is no PromQL, and what no server says, would be found", () => {
  expect(() => metricsIn("sum by (")).toThrow("No PromQL");
  expect(metricsIn('rate(recollect_nothing{door="rest"}[1m])')).toEqual([
    { name: "recollect_nothing", labels: ["door"] },
  ]);
});

test("the dashboard shows every metric that there is, each panel with a title and an id of its own", () => {
  const shown = new Set(asked.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name)));
  expect(families.filter((family) => !seriesOf(family).some((name) => shown.has(name)))).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ title }) => title === "")).toEqual([]);
});

test("watching.md has each metric with its labels and its meaning, and each alert", () => {
  const page = text(OPERATIONS);
  const rows = new Map(
    [...page.matchAll(/^\| `((?:recollect|process)_\w+)(?:\{([^}]*)\})?` \| (\w+) \| (.+) \|$/gm)].map(
      ([, name, labels = "", type, help]) => [name as string, { labels, type, help }],
    ),
  );
  const said = families.map(({ name, type, help }) => [
    type === "counter" ? `${name}_total` : name,
    type,
    help,
  ]);
  expect([...rows].map(([name, { type, help }]) => [name, type, help]).sort()).toEqual(said.sort());
  for (const { name, labels } of samplesOf(metrics)) {
    const row = rows.get(name) ?? rows.get(name.replace(/_(?:bucket|count|sum)$/, ""));
    const told = Object.keys(labels).filter((label) => label !== "le");
    expect([name, told]).toEqual([name, row?.labels ? row.labels.split(",") : []]);
  }
  for (const { alert } of rules) expect([alert, page.includes(`| \`${alert}\` |`)]).toEqual([alert, true]);
});

const program = process.env.PROMTOOL ?? "promtool";
const isPromtoolHere = spawnSync(program, ["--version"]).status === 0;

describe.skipIf(!isPromtoolHere)("promtool, of Debian's package prometheus", () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: join(ROOT, "deploy/prometheus"),
      encoding: "utf8",
    });
    return [status, status === 0 ? "" : stdout + stderr];
  };

  test("takes the configuration, and every alert goes off by the recorded series of its fault", () => {
    expect(run("check", "config", "--syntax-only", "prometheus.yml")).toEqual([0, ""]);
    expect(run("check", "rules", "alerts.yml")).toEqual([0, ""]);
    expect(run("test", "rules", "alerts.test.yml")).toEqual([0, ""]);
    const tried = new Set(
      [...text("deploy/prometheus/alerts.test.yml").matchAll(/alertname: (\w+)/g)].map(([, one]) => one),
    );
    expect(rules.map(({ alert }) => alert).filter((alert) => !tried.has(alert))).toEqual([]);
  });

  test("takes each panel's expression", () => {
    const folder = mkdtempSync(join(tmpdir(), "recollect-panels-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const records = asked.map(({ expr }, at) => ({ record: `panel:${at}`, expr }));
    const file = join(folder, "panels.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules: records }] }));
    expect(run("check", "rules", file)).toEqual([0, ""]);
  });
});
