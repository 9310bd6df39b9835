/** The handoff against a server as users start it, on each runtime. */
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/compose/config.ts";
import { openService, type Service } from "../../src/compose/service.ts";
import { httpClient } from "../support/http-client.ts";
import { type Home, home, runtimes, startServer } from "../support/server.ts";
import { handoffDoors } from "./doors.ts";
import { handsOverAndBack } from "./story.ts";

/** The service on the database of a running server: for what people do on its pages. */
async function beside({ dataDir, url }: Home, publicUrl: string): Promise<Service> {
  const place = url === null ? {} : { DATABASE_URL: url };
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl, ...place });
  const service = await openService(config, { role: "tool", log: () => {}, report: () => {} });
  onTestFinished(() => service.close());
  return service;
}

test.each(runtimes)(
  "on %s an agent hands over to another and back, through every door",
  async (runtime) => {
    const at = await home();
    const { server, url } = await startServer(at, runtime);
    const stage = {
      url,
      service: await beside(at, url),
      withToken: (token: string) => httpClient(url, token),
      handle: (request: Request) => fetch(request),
    };
    for (const door of handoffDoors) await handsOverAndBack(stage, door);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
  300_000,
);
