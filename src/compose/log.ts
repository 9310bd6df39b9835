import pino from "pino";
import { faultOf, type RequestLine } from "../surfaces/http/request-line.ts";
import type { Config } from "./config.ts";
import { printable, writeLines } from "./printable.ts";

export interface Log {
  info(message: string): void;
  /** Logged at every level, `silent` included: the service's address. */
  announce(message: string): void;
  /** Something needs an operator's attention, but the service continues. */
  warn(message: string): void;
  request(line: LoggedRequest): void;
  /** A client's mistake that only an operator can see. */
  refused(message: string, requestId: string | null): void;
  /** A fault of the service within a request, without the error's message, which may quote sent or stored text. */
  fault(message: string, error: unknown, requestId: string | null): void;
  /** A fault of the service or a dependency in the background. */
  failure(message: string, error: unknown): void;
  /** For people at a terminal, in every environment. */
  print(text: string): void;
}

/** A request's line as logged: the owner's id is replaced by a keyed hash. */
export type LoggedRequest = Omit<RequestLine, "ownerId"> & { readonly owner: string | null };

/** Creates the log: readable lines in development, JSON elsewhere. */
export function createLog(config: Pick<Config, "appEnv" | "logLevel"> & Partial<Pick<Config, "watch">>): Log {
  const isForPeople = config.appEnv === "development" || config.appEnv === "local";
  const logger = pino({
    level: config.logLevel,
    base: config.watch ? { instance: config.watch.instance } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  const isSilent = config.logLevel === "silent";
  const announcer = logger.child({}, { level: "info" });
  return {
    announce: (message) => (isForPeople ? writeLines("stderr", message) : announcer.info(message)),
    info: (message) => (isForPeople ? !isSilent && writeLines("stderr", message) : logger.info(message)),
    warn: (message) => (isForPeople ? !isSilent && writeLines("stderr", message) : logger.warn(message)),
    request(line) {
      if (line.fault) logger.error(line, "request failed");
      else if (isForPeople) logger.debug(line, "request");
      else logger.info(line, "request");
    },
    refused: (message, requestId) => logger.warn({ requestId }, message),
    fault: (message, error, requestId) => logger.error({ fault: faultOf(error), requestId }, message),
    failure: (message, error) => logger.error(described(error), message),
    print: (text) => writeLines("stdout", text.replace(/\n$/, "")),
  };
}

const MESSAGE_LENGTH_MAX = 1000;

/** Describes an error for the log, without its message: the database quotes stored content in messages. */
export function described(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: "not an Error" };
  const { name, code, frames } = faultOf(error);
  // The message may come from another program.
  const message =
    name === "PostgresError" ? undefined : printable(error.message.slice(0, MESSAGE_LENGTH_MAX));
  return { error: name, message, code: code ?? undefined, stack: frames };
}
