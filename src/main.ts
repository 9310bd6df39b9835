import { setTimeout as sleep } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { HOW_TO_PATCH, isDriverPatched } from "./adapters/postgres/database/client.ts";
import { explainDatabaseFailure } from "./adapters/postgres/database/failure.ts";
import { type Listener, listen } from "./adapters/runtime/listen.ts";
import { createApp } from "./compose/app.ts";
import { type Config, listeningOn, misspeltSettings, readConfig, wantsStacks } from "./compose/config.ts";
import { firstStart, welcome } from "./compose/first-start.ts";
import { createLog, type Log } from "./compose/log.ts";
import { printWarnings, writeLines } from "./compose/printable.ts";
import { openService, type Service } from "./compose/service.ts";
import { publicPages } from "./surfaces/pages/public-pages.ts";
import { headTooLarge, notServingYet } from "./surfaces/rest/error-response.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Starts the service with the settings of the environment, and stops it gracefully on a signal. */
async function main(): Promise<void> {
  if (!isDriverPatched()) throw new Error(`The Postgres driver lacks this project's patch. ${HOW_TO_PATCH}`);
  const asked = readConfig(process.env);
  const entrance = createEntrance(asked);
  // A free port is known only after listening, and addresses sent to clients contain it, so listen first.
  const config =
    asked.port === 0 ? listeningOn(asked, Number(new URL((await entrance.open()).url).port)) : asked;
  const log = createLog(config);
  for (const warning of misspeltSettings(process.env)) log.warn(warning);
  const service = await openService(config, {
    role: "server",
    log: (message) => log.info(message),
    report: (error) => log.failure("background work failed and will be tried again", error),
    waiting: entrance.sayNotYet,
  });
  await serve(config, service, { log, entrance }).catch(async (error) => {
    await service.close();
    throw error;
  });
}

type Handle = (request: Request) => Response | Promise<Response>;

/** The listener, from before the service is ready until the last request is answered. */
interface Entrance {
  /** Listens, if it does not yet. */
  open(): Promise<Listener>;
  /** Starts listening. Requests then get this reason until `answerBy` is called. */
  sayNotYet(why: string): void;
  answerBy(handle: Handle): void;
}

function createEntrance(config: Config): Entrance {
  const { host, port, publicUrl } = config;
  let answerBy: Entrance["answerBy"] = () => {};
  const served = new Promise<Handle>((resolve) => {
    answerBy = resolve;
  });
  let handle: Handle = async (request) => (await served)(request);
  const fetch: Handle = (request) => handle(request);
  let listener: Promise<Listener> | null = null;
  const open = () => {
    listener ??= listen({
      fetch,
      host,
      port,
      headTooLarge: () => headTooLarge({ newId: uuidv7, publicUrl }),
    });
    return listener;
  };
  return {
    open,
    sayNotYet(why) {
      handle = (request) => notServingYet(request, { newId: uuidv7, publicUrl, why, pages: publicPages });
      // If the port is taken, the next caller gets the error.
      open().catch(() => {});
    },
    answerBy(by) {
      handle = by;
      answerBy(by);
    },
  };
}

async function serve(
  config: Config,
  service: Service,
  { log, entrance }: { log: Log; entrance: Entrance },
): Promise<void> {
  // Listens first: if that fails, no key is created that would never be shown.
  const server = await entrance.open();
  const first = await firstStart(config, service);
  const app = createApp(service, config, log);
  entrance.answerBy(async (request) => {
    const response = await app.handle(request);
    return service.isDraining() ? lastOnItsConnection(response) : response;
  });
  log.announce(`Recollect is ready at ${server.url}`);
  if (first !== null) log.print(welcome(server.url, first));
  const stopped = stopSignal();
  const died = service.died.then((why) => ({ exitCode: 1, why }));
  const { exitCode, why } = await Promise.race([stopped, died]);
  log.info(why);
  service.beginDrain();
  await Promise.race([sleep(1000 * config.drainSeconds), died]);
  service.beginStop();
  await server.close();
  await service.close();
  process.exit(exitCode);
}

/** Makes the client open a new connection for its next request, to a server that is not stopping. */
function lastOnItsConnection(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("connection", "close");
  return new Response(response.body, { status: response.status, headers });
}

/**
 * Resolves on the first signal. Later ones are ignored, since a terminal and a launcher send one each, and must not cut
 * off draining.
 */
function stopSignal(): Promise<{ exitCode: number; why: string }> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve({ exitCode: 0, why: "Stopping." }));
  });
}

// The channel closes when the launcher ends, even by kill -9, when it cannot forward a signal.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));

printWarnings();
main().catch((error: unknown) => {
  // Prints a sentence that says what to do rather than a stack; LOG_LEVEL=debug prints both.
  const message = explainDatabaseFailure(error) ?? (error instanceof Error ? error.message : String(error));
  writeLines(
    "stderr",
    (wantsStacks(process.env) && error instanceof Error ? error.stack : undefined) ?? message,
  );
  process.exit(1);
});
