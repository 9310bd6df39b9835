import { uuidv7 } from "uuidv7";
import { HOW_TO_PATCH, isDriverPatched } from "./adapters/postgres/database/client.ts";
import { explainDatabaseFailure } from "./adapters/postgres/database/failure.ts";
import { type Listener, listen } from "./adapters/runtime/listen.ts";
import { createApp } from "./compose/app.ts";
import { type Config, listeningOn, misspeltSettings, readConfig, wantsStacks } from "./compose/config.ts";
import { firstStart, welcome } from "./compose/first-start.ts";
import { createLog, type Log } from "./compose/log.ts";
import { openService, type Service } from "./compose/service.ts";
import { headTooLarge } from "./surfaces/rest/error-response.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Starts the service with the settings of the environment, and stops it in order when a signal asks for it. */
async function main(): Promise<void> {
  if (!isDriverPatched()) throw new Error(`The Postgres driver lacks this project's patch. ${HOW_TO_PATCH}`);
  const asked = readConfig(process.env);
  const ahead = asked.port === 0 ? await listenAhead(asked) : null;
  const config = ahead === null ? asked : listeningOn(asked, Number(new URL(ahead.url).port));
  const log = createLog(config);
  for (const warning of misspeltSettings(process.env)) log.warn(warning);
  const service = await openService(config, {
    role: "server",
    log: (message) => log.info(message),
    report: (error) => log.failure("background work failed and will be tried again", error),
  });
  await serve(config, service, { log, ahead }).catch(async (error) => {
    await service.close();
    throw error;
  });
}

/** A server that listens before there is anything to answer with. Requests wait for that. */
interface ListeningAhead extends Listener {
  answerBy(handle: Handle): void;
}

type Handle = (request: Request) => Response | Promise<Response>;

/** Of any free port only the one who has it knows which: addresses are told to clients, so it is had before all else. */
async function listenAhead(config: Config): Promise<ListeningAhead> {
  let answerBy: ListeningAhead["answerBy"] = () => {};
  const handle = new Promise<Handle>((resolve) => {
    answerBy = resolve;
  });
  const listener = await listenBy(config, async (request) => (await handle)(request));
  return { ...listener, answerBy };
}

function listenBy({ host, port, publicUrl }: Config, fetch: Handle): Promise<Listener> {
  return listen({ fetch, host, port, headTooLarge: () => headTooLarge({ newId: uuidv7, publicUrl }) });
}

async function serve(
  config: Config,
  service: Service,
  { log, ahead }: { log: Log; ahead: ListeningAhead | null },
): Promise<void> {
  const first = await firstStart(config, service);
  const app = createApp(service, config, log);
  const handle: Handle = (request) => app.handle(request);
  const server = ahead ?? (await listenBy(config, handle));
  ahead?.answerBy(handle);
  log.info(`Recollect is ready at ${server.url}`);
  if (first !== null) log.print(welcome(server.url, first));
  const stopped = stopSignal();
  const died = service.died.then((why) => ({ exitCode: 1, why }));
  const { exitCode, why } = await Promise.race([stopped, died]);
  log.info(why);
  service.beginStop();
  await server.close();
  await service.close();
  process.exit(exitCode);
}

/** Signals that follow ask for the same: a terminal and a launcher send one each, and neither cuts off what drains. */
function stopSignal(): Promise<{ exitCode: number; why: string }> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve({ exitCode: 0, why: "Stopping." }));
  });
}

// The channel to the launcher closes with its end, kill -9 included, which can pass nothing on.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));

main().catch((error: unknown) => {
  // One sentence that says what to do is worth more than a stack; LOG_LEVEL=debug has both.
  const message = explainDatabaseFailure(error) ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`${wantsStacks(process.env) && error instanceof Error ? error.stack : message}\n`);
  process.exit(1);
});
