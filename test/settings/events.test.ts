import { expect, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { ConfigError } from "../../src/compose/setting-kinds.ts";

test("by default events are kept for three days, and nothing private is delivered to", () => {
  expect(readConfig({}).events).toEqual({
    retentionHours: 72,
    streams: { total: 256, perParty: 32, perCredential: 8 },
    webhooks: { attempts: 12, retrySeconds: 5, timeoutSeconds: 15, allow: [] },
  });
});

test("receivers are named by host, address or range", () => {
  const allow = "hooks.internal, *.corp, 10.1.0.0/16, ::1, 127.0.0.1";
  expect(readConfig({ OUTBOUND_ALLOW: allow }).events.webhooks.allow).toEqual(allow.split(", "));
});

const refused: readonly [string, string][] = [
  ["EVENT_RETENTION_HOURS", "0"],
  ["EVENT_RETENTION_HOURS", "three days"],
  ["EVENT_STREAMS", "-1"],
  ["EVENT_STREAMS_PER_OWNER", "0"],
  ["EVENT_STREAMS_PER_CREDENTIAL", "0"],
  ["WEBHOOK_ATTEMPTS", "0"],
  ["WEBHOOK_ATTEMPTS", "1.5"],
  ["WEBHOOK_RETRY_SECONDS", "0"],
  ["WEBHOOK_TIMEOUT_SECONDS", "3600"],
  ["OUTBOUND_ALLOW", "10.1.0.0/40"],
  ["OUTBOUND_ALLOW", "10.1.0"],
  ["OUTBOUND_ALLOW", "http://hooks.internal"],
  ["OUTBOUND_ALLOW", "*"],
  ["OUTBOUND_ALLOW", "hooks.internal,"],
];

test.each(refused)("%s=%s stops the start, and is not repeated", (name, value) => {
  let message = "";
  try {
    readConfig({ [name]: value });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    message = (error as Error).message;
  }
  expect(message).toContain(name);
  if (value.length > 3) expect(message).not.toContain(value);
});
