/** How many processes a server may have, and what they share of its limits. */
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { noPortSharing } from "../../src/adapters/runtime/listen.ts";
import { settingsOfProcess } from "../../src/compose/processes.ts";
import { serviceConfig } from "../support/service-config.ts";

test("unless it is set, a server is one process, with all that the settings allow", () => {
  const config = serviceConfig();
  expect(config.processes).toBe(1);
  expect(settingsOfProcess(config, 1)).toEqual(config);
});

test("several processes together keep to the limits of the server, and have names of their own", () => {
  const config = serviceConfig({
    PROCESSES: "3",
    DATABASE_CONNECTIONS: "16",
    INDEX_MEMORY_MB: "300",
    EVENT_STREAMS: "30",
    INSTANCE_NAME: "memory",
  });
  const second = settingsOfProcess(config, 2);
  expect(second).toMatchObject({ process: 2, databaseConnections: 5, indexMemoryBytes: 100 * 1024 * 1024 });
  expect([second.events.streams.total, second.watch.instance]).toEqual([10, "memory:2"]);
});

test("there are at most as many as the connections suffice for", () => {
  expect(() => serviceConfig({ PROCESSES: "5", DATABASE_CONNECTIONS: "16" })).toThrow(
    "PROCESSES: 5 processes share DATABASE_CONNECTIONS, which must be at least 20: raise it, or start fewer.",
  );
  const auto = serviceConfig({ PROCESSES: "auto", DATABASE_CONNECTIONS: "9" }).processes;
  expect(auto).toBe(noPortSharing() === null ? Math.min(availableParallelism(), 2) : 1);
});

test.each(["0", "1.5", "-1", "many", "65"])("%s is refused", (given) => {
  expect(() => serviceConfig({ PROCESSES: given })).toThrow(/PROCESSES/);
});
