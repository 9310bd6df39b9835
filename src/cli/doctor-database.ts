import type { DatabaseUpkeep } from "../adapters/postgres/database/upkeep.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

const CLOCK_OFF_MS = 2000;
const OPEN_SECONDS = 60;
const MIB = 1024 ** 2;
const MOVED = {
  restored: "restored from a backup or copied since a server last ran on it",
  went_back: "returned to an earlier state since a server last ran on it",
  promoted: "on a replica that has taken over since a server last looked",
} as const;

/** Findings about the database that need attention now or soon, each with advice. */
export function checkUpkeep(upkeep: DatabaseUpkeep | null, poolMax: number): Finding[] {
  if (upkeep === null) return [];
  return [
    ok("size", `${Math.ceil(upkeep.bytes / MIB)} MiB, as counted by Postgres`),
    writable(upkeep),
    clock(upkeep),
    place(upkeep),
    ...openTransactions(upkeep),
    ...connections(upkeep, poolMax),
    ...erasures(upkeep),
  ];
}

function writable({ isReadOnly }: DatabaseUpkeep): Finding {
  const advice = "Set DATABASE_URL to the server that accepts writes, or promote this one.";
  return isReadOnly
    ? broken("writes", "refused: this is a replica, or it is set to read-only", advice)
    : ok("writes", "accepted");
}

function clock({ clockAheadMs }: DatabaseUpkeep): Finding {
  if (Math.abs(clockAheadMs) <= CLOCK_OFF_MS) return ok("clock", "this machine and the database agree");
  const seconds = Math.abs(clockAheadMs / 1000).toFixed(1);
  const found = `the database's clock is ${seconds} s ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine's`;
  return warning(
    "clock",
    found,
    "Synchronise both clocks: expiry and the leases between servers depend on them.",
  );
}

function place({ movedBy, ahead }: DatabaseUpkeep): Finding {
  const reasons = [
    ...(movedBy === null ? [] : [MOVED[movedBy]]),
    ...(ahead === 0 ? [] : [`${ahead} memories have transaction ids that are ahead of this cluster's`]),
  ];
  const advice =
    "A running server notices within seconds, corrects the ids in batches and rebuilds the search engine's index. Until then recall is correct, but slower.";
  return reasons.length === 0
    ? ok("restore", "the record is as its servers left it")
    : warning("restore", reasons.join("; "), advice);
}

function openTransactions({ oldestWriteSeconds }: DatabaseUpkeep): Finding[] {
  if (oldestWriteSeconds < OPEN_SECONDS) return [];
  const found = `a writing transaction has been open for ${Math.round(oldestWriteSeconds)} s`;
  const advice =
    "Until it ends, every recall reads everything written since. Find it in pg_stat_activity or pg_prepared_xacts and end it.";
  return [warning("transactions", found, advice)];
}

function connections({ connectionsLeft }: DatabaseUpkeep, poolMax: number): Finding[] {
  if (connectionsLeft >= poolMax) return [];
  const found = `DATABASE_CONNECTIONS is ${poolMax}, but the database has only ${connectionsLeft} for all servers of this service`;
  return [warning("connections", found, "Raise max_connections in Postgres, or lower DATABASE_CONNECTIONS.")];
}

function erasures({ unfinishedErasures, unconfirmedReceipts }: DatabaseUpkeep): Finding[] {
  if (unfinishedErasures + unconfirmedReceipts === 0) return [ok("erasures", "none unfinished")];
  const goOn = "Run the same erase command, or send the same request again. It continues where it stopped.";
  const confirm =
    "Start the service. If it is running, look in its log: with a search engine, removals wait for every index that is being written.";
  const unconfirmed = `${unconfirmedReceipts} removals have waited for more than an hour to be confirmed`;
  return [
    ...(unfinishedErasures === 0
      ? []
      : [warning("erasures", `${unfinishedErasures} erasures were begun but not finished`, goOn)]),
    ...(unconfirmedReceipts === 0 ? [] : [warning("receipts", unconfirmed, confirm)]),
  ];
}
