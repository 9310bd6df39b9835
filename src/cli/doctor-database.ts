import type { DatabaseUpkeep } from "../adapters/postgres/database/upkeep.ts";
import type { Finding } from "./finding.ts";

const CLOCK_OFF_MS = 2000;
const OPEN_SECONDS = 60;
const MIB = 1024 ** 2;

/** Findings about the database that need attention now or soon, each with advice. */
export function checkUpkeep(upkeep: DatabaseUpkeep | null, poolMax: number): Finding[] {
  if (upkeep === null) return [];
  return [
    {
      check: "size",
      status: "ok",
      found: `${Math.ceil(upkeep.bytes / MIB)} MiB, as counted by Postgres`,
      advice: null,
    },
    writable(upkeep),
    clock(upkeep),
    place(upkeep),
    ...openTransactions(upkeep),
    ...connections(upkeep, poolMax),
    ...erasures(upkeep),
  ];
}

function writable({ isReadOnly }: DatabaseUpkeep): Finding {
  if (!isReadOnly) return { check: "writes", status: "ok", found: "accepted", advice: null };
  return {
    check: "writes",
    status: "broken",
    found: "refused: this is a replica, or it is set to read-only",
    advice: "Set DATABASE_URL to the server that accepts writes, or promote this one.",
  };
}

function clock({ clockAheadMs }: DatabaseUpkeep): Finding {
  const seconds = Math.abs(clockAheadMs / 1000).toFixed(1);
  const isOff = Math.abs(clockAheadMs) > CLOCK_OFF_MS;
  return {
    check: "clock",
    status: isOff ? "warning" : "ok",
    found: isOff
      ? `the database's clock is ${seconds} s ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine's`
      : "this machine and the database agree",
    advice: isOff ? "Synchronise both clocks: expiry and the leases between servers depend on them." : null,
  };
}

const MOVED = {
  restored: "restored from a backup or copied since a server last ran on it",
  went_back: "returned to an earlier state since a server last ran on it",
  promoted: "on a replica that has taken over since a server last looked",
} as const;

function place({ movedBy, ahead }: DatabaseUpkeep): Finding {
  const isMoved = movedBy !== null;
  const rows = ahead === 0 ? "" : `${ahead} memories have transaction ids that are ahead of this cluster's`;
  if (!isMoved && ahead === 0)
    return { check: "restore", status: "ok", found: "the record is as its servers left it", advice: null };
  return {
    check: "restore",
    status: "warning",
    found: [isMoved ? MOVED[movedBy] : "", rows].filter((part) => part !== "").join("; "),
    advice:
      "A running server notices within seconds, corrects the ids in batches and rebuilds the search engine's index. Until then recall is correct, but slower.",
  };
}

function openTransactions({ oldestWriteSeconds }: DatabaseUpkeep): Finding[] {
  if (oldestWriteSeconds < OPEN_SECONDS) return [];
  return [
    {
      check: "transactions",
      status: "warning",
      found: `a writing transaction has been open for ${Math.round(oldestWriteSeconds)} s`,
      advice:
        "Until it ends, every recall reads everything written since. Find it in pg_stat_activity or pg_prepared_xacts and end it.",
    },
  ];
}

function connections({ connectionsLeft }: DatabaseUpkeep, poolMax: number): Finding[] {
  if (connectionsLeft >= poolMax) return [];
  return [
    {
      check: "connections",
      status: "warning",
      found: `DATABASE_CONNECTIONS is ${poolMax}, but the database has only ${connectionsLeft} for all servers of this service`,
      advice: "Raise max_connections in Postgres, or lower DATABASE_CONNECTIONS.",
    },
  ];
}

function erasures({ unfinishedErasures, unconfirmedReceipts }: DatabaseUpkeep): Finding[] {
  const findings: Finding[] = [];
  if (unfinishedErasures > 0)
    findings.push({
      check: "erasures",
      status: "warning",
      found: `${unfinishedErasures} erasures were begun but not finished`,
      advice: "Run the same erase command, or send the same request again. It continues where it stopped.",
    });
  if (unconfirmedReceipts > 0)
    findings.push({
      check: "receipts",
      status: "warning",
      found: `${unconfirmedReceipts} removals have waited for more than an hour to be confirmed`,
      advice:
        "Start the service. If it is running, look in its log: with a search engine, removals wait for every index that is being written.",
    });
  if (findings.length === 0)
    findings.push({ check: "erasures", status: "ok", found: "none unfinished", advice: null });
  return findings;
}
