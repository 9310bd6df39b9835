import { setTimeout as sleep } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { HOW_TO_PATCH, isDriverPatched } from "./adapters/postgres/database/client.ts";
import { explainDatabaseFailure } from "./adapters/postgres/database/failure.ts";
import { type Listener, listen, requireShareablePort } from "./adapters/runtime/listen.ts";
import { createApp } from "./compose/app.ts";
import { type Config, listeningOn, misspeltSettings, readConfig, wantsStacks } from "./compose/config.ts";
import { firstStart, welcome } from "./compose/first-start.ts";
import { createLog, type Log } from "./compose/log.ts";
import { printWarnings, writeLines } from "./compose/printable.ts";
import { openSiblings, processNumber, type Siblings, settingsOfProcess } from "./compose/processes.ts";
import { openService, type Service } from "./compose/service.ts";
import { publicPages } from "./surfaces/pages/public-pages.ts";
import { headTooLarge, notServingYet } from "./surfaces/rest/error-response.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Starts the service with the settings of the environment, and stops it gracefully on a signal. */
async function main(): Promise<void> {
  if (!isDriverPatched()) throw new Error(`The Postgres driver lacks this project's patch. ${HOW_TO_PATCH}`);
  const number = processNumber(process.argv);
  const asked = settingsOfProcess(readConfig(process.env), number);
  // The first process takes the port for all of them.
  if (asked.process === 1) await requireShareablePort(asked.host, asked.port);
  const entrance = createEntrance(asked);
  // A free port is known only after listening, and addresses sent to clients contain it, so listen first.
  const config =
    asked.port === 0 ? listeningOn(asked, Number(new URL((await entrance.open()).url).port)) : asked;
  const log = createLog(config);
  if (number === 1) for (const warning of misspeltSettings(process.env)) log.warn(warning);
  const siblings = openSiblings(config, process.env, log);
  const service = await openService(config, {
    role: "server",
    log: (message) => log.info(message),
    report: (error) => log.failure("background work failed and will be tried again", error),
    waiting: entrance.sayNotYet,
    siblings,
  });
  await serve(config, service, { log, entrance, siblings }).catch(async (error) => {
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
  const { host, port, publicUrl, processes } = config;
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
      sharesPort: processes > 1,
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
  { log, entrance, siblings }: { log: Log; entrance: Entrance; siblings: Siblings | null },
): Promise<void> {
  // Listens first: if that fails, no key is created that would never be shown.
  const server = await entrance.open();
  const first = await firstStart(config, service);
  const app = createApp(service, config, log);
  entrance.answerBy(async (request) => {
    const response = await app.handle(request);
    return service.isDraining() ? lastOnItsConnection(response) : response;
  });
  const stopped = stopSignal();
  const died = service.died.then((why) => ({ exitCode: 1, why }));
  const isFirst = (config.process ?? 1) === 1;
  const joined = siblings?.join(Number(new URL(server.url).port)) ?? null;
  const answering = await Promise.race([joined, stopped, died]);
  if (isFirst && (answering === null || typeof answering === "number")) {
    const of = answering === null ? "" : ` (${answering} of ${config.processes} processes)`;
    log.announce(`Recollect is ready at ${server.url}${of}`);
    if (first !== null) log.print(welcome(server.url, first));
  }
  const { exitCode, why } = await Promise.race([stopped, died]);
  if (isFirst) log.info(why);
  const othersStopped = siblings?.stop();
  service.beginDrain();
  // Without the first process there is no server to drain, and the next one needs the port.
  await Promise.race([sleep(1000 * config.drainSeconds), died, ...(isFirst ? [] : [parentGone])]);
  service.beginStop();
  await server.close();
  await othersStopped;
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

// The channel closes when the process that started this one ends, even by kill -9, when it cannot forward a signal.
const parentGone = new Promise<void>((resolve) => process.once("disconnect", resolve));
void parentGone.then(() => process.kill(process.pid, "SIGTERM"));

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
