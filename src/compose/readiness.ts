import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Sql } from "../adapters/postgres/database/client.ts";
import { isReadOnly } from "../adapters/postgres/database/failure.ts";
import type { Readiness } from "../core/doctor/health.ts";
import type { Config } from "./config.ts";

/** How long a probe waits for a dependency. */
const WITHIN_MS = 2000;
/** A pending check older than this is abandoned and repeated: its connection may be dead while others are alive. */
const QUESTION_MS_MAX = 10_000;

const SILENT = "it does not answer";
const READ_ONLY = "it cannot be written to";

/** Sources of readiness. */
interface Asked {
  readonly sql: Sql;
  /** Dependencies that the service can work without: by name, why one is impaired, or null. */
  readonly dependencies: () => Readonly<Record<string, string | null>>;
  readonly isStopping: () => boolean;
}

/** Creates the check of all dependencies, by name. It never rejects. */
export function createReadiness(
  service: Asked,
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
): () => Promise<Readiness> {
  const postgres = answeredInTime(async () => {
    const [server] = await service.sql`
      select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`;
    return server?.is_read_only === true ? READ_ONLY : null;
  });
  // Only the embedded database's disk can be measured. For an outside database, refused writes reveal a full disk.
  const fullnessOf = databaseUrl === null ? answeredInTime(() => fullness(dataDir)) : async () => null;
  return async () => {
    const [state, full] = await Promise.all([postgres(), fullnessOf()]);
    const others = service.dependencies();
    return {
      needed: { postgres: state },
      others: { ...others, disk: full ?? others.disk ?? null },
      isStopping: service.isStopping(),
    };
  };
}

async function fullness(folder: string): Promise<string | null> {
  const { state, found } = await diskRoom(folder);
  return state === "full" ? `it is full, or nearly: ${found}` : null;
}

/**
 * Returns the dependency's answer within two seconds, or that there was none; never rejects. Probes share a pending
 * check, so that checks of a hanging dependency do not pile up.
 */
function answeredInTime(ask: () => Promise<string | null>): () => Promise<string | null> {
  let question: { readonly answer: Promise<string | null>; readonly since: number } | null = null;
  return () => {
    if (question === null || performance.now() - question.since > QUESTION_MS_MAX) {
      const asked = { answer: answered(ask), since: performance.now() };
      void asked.answer.then(() => {
        if (question === asked) question = null;
      });
      question = asked;
    }
    return withinTime(question.answer);
  };
}

async function answered(ask: () => Promise<string | null>): Promise<string | null> {
  try {
    return await ask();
  } catch (error) {
    return isReadOnly(error) ? READ_ONLY : SILENT;
  }
}

async function withinTime(answer: Promise<string | null>): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS, SILENT);
  });
  const why = await Promise.race([answer, late]);
  clearTimeout(timer);
  return why;
}

const GIB = 1024 ** 3;
const LOW_BYTES = GIB;
const FULL_BYTES = GIB / 10;

/** Free space on the disk of a folder. */
export interface DiskRoom {
  readonly state: "enough" | "low" | "full";
  /** As in "1.5 GiB free". */
  readonly found: string;
}

/** Returns the free space for a folder, which need not exist yet. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, bsize } = await statfs(await existing(folder));
  const free = bavail * bsize;
  const state = free < FULL_BYTES ? "full" : free < LOW_BYTES ? "low" : "enough";
  return { state, found: `${(free / GIB).toFixed(1)} GiB free` };
}

async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  return found || dirname(folder) === folder ? folder : existing(dirname(folder));
}
