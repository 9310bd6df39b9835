/**
 * The processes of one server. Each is a whole server on the same database, and all listen on one port. The first starts
 * the others and starts them again when they die. They end with it: by SIGTERM, or when their channel to it closes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandOf } from "../../bin/runtime.js";
import type { NoteExchange } from "../core/memory/recent-answers.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";

/** The other processes of this server. A process that is starting misses the notes of the others. */
export interface Siblings extends NoteExchange {
  /** Sets how this process answers a request for its figures. */
  provideFigures(own: () => Promise<string>): void;
  /** Returns the figures of each process that answers in time, this one's among them. */
  figures(): Promise<readonly string[]>;
  /**
   * Call when this process answers requests. The first process then starts the others, and gets the number of processes
   * once each answers or has failed.
   */
  join(port: number): Promise<number>;
  /** Resolves when the processes that this one started have finished their requests and ended. */
  stop(): Promise<void>;
}

const FLAG = "--process";
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Returns the number of this process: 1 unless the first process started it. */
export function processNumber(argv: readonly string[]): number {
  const at = argv.indexOf(FLAG);
  return at === -1 ? 1 : Number(argv[at + 1]);
}

/**
 * Returns the settings of one process. Limits on memory, connections and streams are those of the whole server, so each
 * process gets its share.
 */
export function settingsOfProcess(config: Config, number: number): Config {
  const { processes, events, watch } = config;
  if (processes === 1) return config;
  const share = (total: number) => Math.floor(total / processes);
  return {
    ...config,
    process: number,
    databaseConnections: share(config.databaseConnections),
    indexMemoryBytes: share(config.indexMemoryBytes),
    events: { ...events, streams: { ...events.streams, total: share(events.streams.total) } },
    watch: { ...watch, instance: `${watch.instance}:${number}` },
  };
}

/** Returns the other processes of this server; null if there are none. `env` has the settings that they are started with. */
export function openSiblings(
  config: Config,
  env: NodeJS.ProcessEnv,
  log: SupervisedOptions["log"],
): Siblings | null {
  if (config.process === null) return null;
  const own: OwnSide = { figures: async () => "", receive: () => {} };
  const provided: Pick<Siblings, "provideFigures" | "onNote"> = {
    provideFigures(figures) {
      own.figures = figures;
    },
    onNote(receive) {
      own.receive = receive;
    },
  };
  return { ...provided, ...(config.process === 1 ? firstOf(config, env, own, log) : laterOne(own)) };
}

/** How this process answers the others. */
interface OwnSide {
  figures: () => Promise<string>;
  receive: (note: unknown) => void;
}

type Joined = Omit<Siblings, "provideFigures" | "onNote">;

function laterOne(own: OwnSide): Joined {
  const first = linkTo(process, {
    figures: async () => [await own.figures()],
    receive: (note) => own.receive(note),
  });
  return {
    figures: async () => (await first.ask()) ?? [await own.figures()],
    send: (note) => first.send({ kind: "note", note }),
    async join() {
      first.send({ kind: "ready" });
      return 1;
    },
    stop: async () => {},
  };
}

function firstOf(
  { processes, drainSeconds }: Config,
  env: NodeJS.ProcessEnv,
  own: OwnSide,
  log: SupervisedOptions["log"],
): Joined {
  let others: readonly SupervisedProcess[] = [];
  const figures = async () => {
    const asked = await Promise.all([own.figures(), ...others.map((other) => other.ask())]);
    return asked.flatMap((answer) => answer ?? []);
  };
  const send = (note: unknown, but?: number) => {
    for (const other of others) if (other.number !== but) other.send({ kind: "note", note });
  };
  return {
    figures,
    send,
    async join(port) {
      others = Array.from({ length: processes - 1 }, (_, at) => {
        const number = at + 2;
        const receive = (note: unknown) => {
          own.receive(note);
          send(note, number);
        };
        return supervise(number, {
          env: { ...env, PORT: String(port) },
          drainSeconds,
          answers: { figures, receive },
          log,
        });
      });
      const answering = await Promise.all(others.map(({ isStarted }) => isStarted));
      return 1 + answering.filter(Boolean).length;
    },
    async stop() {
      await Promise.all(others.map((other) => other.stop()));
    },
  };
}

/** A process that is started again when it dies. */
interface SupervisedProcess extends Link {
  readonly number: number;
  /** Resolves when it answers requests for the first time, or with false when its first start has failed. */
  readonly isStarted: Promise<boolean>;
  stop(): Promise<void>;
}

const RESTART_SECONDS_MIN = 1;
const RESTART_SECONDS_MAX = 30;
/** After a life as long as this, a process is started again without a longer pause. */
const STEADY_MS = 60_000;
/** How long a process may take to end, in addition to its drain: more than running requests and background work get. */
const ENDS_WITHIN_MS = 40_000;

function supervise(
  number: number,
  { env, drainSeconds, answers, log }: SupervisedOptions,
): SupervisedProcess {
  let pauseSeconds = RESTART_SECONDS_MIN;
  let isStopping = false;
  let restart: ReturnType<typeof setTimeout> | undefined;
  let child: ChildProcess;
  let link: Link;
  let ended: Promise<void>;
  let started: (isAnswering: boolean) => void;
  const isStarted = new Promise<boolean>((resolve) => {
    started = resolve;
  });

  function start(isRestart: boolean): void {
    const since = performance.now();
    child = spawnProcess(number, env);
    link = linkTo(child, {
      ...answers,
      ready() {
        if (isRestart) log.info(`Process ${number} answers again.`);
        started(true);
      },
    });
    ended = new Promise((resolve) => {
      const end = (why: string) => {
        resolve();
        started(false);
        if (!isStopping) startAgain(why, performance.now() - since);
      };
      child.once("error", (error) => end(error.message));
      child.once("exit", (code, signal) => end(signal ?? `exit status ${code}`));
    });
  }

  function startAgain(why: string, livedMs: number): void {
    if (livedMs > STEADY_MS) pauseSeconds = RESTART_SECONDS_MIN;
    const pause = `${pauseSeconds} second${pauseSeconds === 1 ? "" : "s"}`;
    log.warn(`Process ${number} has ended (${why}). It is started again in ${pause}.`);
    restart = setTimeout(start, 1000 * pauseSeconds, true);
    pauseSeconds = Math.min(2 * pauseSeconds, RESTART_SECONDS_MAX);
  }

  start(false);
  return {
    number,
    isStarted,
    ask: () => link.ask(),
    send: (message) => link.send(message),
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 1000 * drainSeconds + ENDS_WITHIN_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

interface SupervisedOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly drainSeconds: number;
  readonly answers: Answers;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Starts a process on the same runtime with the same settings. Its channel tells it when this process has ended. */
function spawnProcess(number: number, env: NodeJS.ProcessEnv): ChildProcess {
  // Deno does not say with which flags it runs.
  const flags = "Deno" in globalThis ? commandOf("deno").slice(1) : process.execArgv;
  return spawn(process.execPath, [...flags, MAIN, FLAG, String(number)], {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "ask"; readonly id: number }
  | { readonly kind: "figures"; readonly id: number; readonly figures: readonly string[] }
  | { readonly kind: "note"; readonly note: unknown };

/** How a process answers the other end of a channel. */
interface Answers {
  figures(): Promise<readonly string[]>;
  receive(note: unknown): void;
  ready?(): void;
}

/** One end of the channel between the first process and another. */
interface Link {
  send(message: Message): void;
  /** Asks the other end for its figures; null if it does not answer in time. */
  ask(): Promise<readonly string[] | null>;
}

const ANSWERS_WITHIN_MS = 1000;

function linkTo(end: NodeJS.Process | ChildProcess, answers: Answers): Link {
  const waiting = new Map<number, (figures: readonly string[] | null) => void>();
  let asked = 0;
  const send = (message: Message) => {
    // The other end may be gone. Its process notices that itself.
    if (end.connected) end.send?.(message, undefined, undefined, () => {});
  };
  end.on("message", async (received: unknown) => {
    const message = received as Message;
    if (message.kind === "ready") answers.ready?.();
    else if (message.kind === "note") answers.receive(message.note);
    else if (message.kind === "figures") waiting.get(message.id)?.(message.figures);
    else send({ kind: "figures", id: message.id, figures: await answers.figures() });
  });
  return {
    send,
    async ask() {
      if (!end.connected) return null;
      const id = asked++;
      return new Promise((resolve) => {
        const answered = (figures: readonly string[] | null) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(figures);
        };
        const timer = setTimeout(answered, ANSWERS_WITHIN_MS, null);
        waiting.set(id, answered);
        send({ kind: "ask", id });
      });
    },
  };
}
