import { createApp } from "../../src/compose/app.ts";
import { readConfig } from "../../src/compose/config.ts";
import { createLog } from "../../src/compose/log.ts";
import type { World } from "./world.ts";

/** A path of every route that a service has, with something in place of its parameters. */
export function everyPath({ service }: Pick<World, "service">): string[] {
  const log = createLog({ appEnv: "test", logLevel: "silent" });
  const { routes } = createApp(service, readConfig({ APP_ENV: "test" }), log);
  return [...new Set(routes.map(({ path }) => path.replaceAll(/:\w+/g, "x").replace(/\*$/, "register")))];
}
