import { expect, test } from "vitest";
import { misspeltSettings, settingNames } from "../../src/compose/config.ts";
import { recollect } from "../cli/cli.ts";

test.each([
  ["DATABSE_URL", "DATABASE_URL"],
  ["DATABASE_URLS", "DATABASE_URL"],
  ["log_level", "LOG_LEVEL"],
  ["LOG-LEVEL", "LOG_LEVEL"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["RATE_LIMIT_WRITE", "RATE_LIMIT_WRITES"],
  ["BOOTSTRAP_API_KAY", "BOOTSTRAP_API_KEY"],
  ["SECERT_POLICY", "SECRET_POLICY"],
  ["BOOTSTRAP_KEY", "BOOTSTRAP_API_KEY"],
  ["EMBEDDING_URL", "EMBEDDING_BASE_URL"],
  ["OWNER_MEMORY_MAX", "OWNER_MEMORIES_MAX"],
  ["RECOLLECT_PORT", "PORT"],
  ["RECOLLECT_DATA_DIR", "DATA_DIR"],
  ["RECOLLECT_LOG_LEVLE", "LOG_LEVEL"],
])("%s is taken for %s, and its value is not told", (name, meant) => {
  expect(misspeltSettings({ [name]: "a secret" })).toEqual([
    `${name} is not a setting and has no effect: did you mean ${meant}?`,
  ]);
});

test("settings themselves, short names and what platforms set are no misspellings", () => {
  const others = [
    "HOSTS",
    "PORTS",
    "host",
    "HOSTNAME",
    "PATH",
    "XDG_DATA_DIRS",
    "ELASTICSEARCH_PORT",
    "PGHOST",
    "PROT",
    "DATABASE_FILE",
    "OTEL_EXPORTER_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "RECOLLECT_URL",
    "RECOLLECT_API_KEY",
    "RECOLLECT_TOKEN",
    "RECOLLECT_PROJECT",
    "RECOLLECT_INDEX",
    "RECOLLECT_SERVICE_HOST",
    "RECOLLECT_SERVICE_PORT",
  ];
  const env = Object.fromEntries([...settingNames, ...others].map((name) => [name, "x"]));
  expect(misspeltSettings(env)).toEqual([]);
  expect(misspeltSettings(process.env)).toEqual([]);
});

test("where a Service of Kubernetes is, is no setting with a prefix", () => {
  expect(misspeltSettings({ RECOLLECT_PORT: "tcp://10.0.0.7:8787" })).toEqual([]);
});

test("doctor warns of it", async () => {
  const ran = await recollect(["doctor", "--json"], {
    env: { DATABASE_URL: "postgres://recollect@127.0.0.1:9/none", RATE_LIMIT_WRITE: "5" },
  });
  const { findings } = JSON.parse(ran.stdout);
  expect(findings.find(({ check }: { check: string }) => check === "settings")).toMatchObject({
    status: "warning",
    found: "RATE_LIMIT_WRITE is not a setting and has no effect: did you mean RATE_LIMIT_WRITES?",
  });
});
