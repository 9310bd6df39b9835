import type { DatabaseUpkeep } from "../adapters/postgres/database/upkeep.ts";
import type { Finding } from "./finding.ts";

const CLOCK_OFF_MS = 2000;
const OPEN_SECONDS = 60;
const MIB = 1024 ** 2;

/** What of the database needs a hand, or will: each with what to do. */
export function checkUpkeep(upkeep: DatabaseUpkeep | null, poolMax: number): Finding[] {
  if (upkeep === null) return [];
  return [
    {
      check: "size",
      status: "ok",
      found: `${Math.ceil(upkeep.bytes / MIB)} MiB, as Postgres counts it`,
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
  if (!isReadOnly) return { check: "writes", status: "ok", found: "taken", advice: null };
  return {
    check: "writes",
    status: "broken",
    found: "refused: this is a replica, or set to be read only",
    advice: "Have DATABASE_URL name the server that takes writes, or promote this one.",
  };
}

function clock({ clockAheadMs }: DatabaseUpkeep): Finding {
  const seconds = Math.abs(clockAheadMs / 1000).toFixed(1);
  const isOff = Math.abs(clockAheadMs) > CLOCK_OFF_MS;
  return {
    check: "clock",
    status: isOff ? "warning" : "ok",
    found: isOff
      ? `the database's is ${seconds} s ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine's`
      : "this machine's and the database's agree",
    advice: isOff ? "Synchronise both: what expires, and leases between servers, go by them." : null,
  };
}

const MOVED = {
  restored: "restored from a backup or copied since a server last ran on it",
  went_back: "put back to an earlier state since a server last ran on it",
  promoted: "on a replica that has taken over since a server last looked",
} as const;

function place({ movedBy, ahead }: DatabaseUpkeep): Finding {
  const isMoved = movedBy !== null;
  const rows = ahead === 0 ? "" : `${ahead} memories have transaction ids that are ahead of this cluster's`;
  if (!isMoved && ahead === 0)
    return { check: "restore", status: "ok", found: "the record is where its servers left it", advice: null };
  return {
    check: "restore",
    status: "warning",
    found: [isMoved ? MOVED[movedBy] : "", rows].filter((part) => part !== "").join("; "),
    advice:
      "A running server notices within seconds, mends the ids in portions and builds the search engine's index anew. Until then recall is right, and slower.",
  };
}

function openTransactions({ oldestWriteSeconds }: DatabaseUpkeep): Finding[] {
  if (oldestWriteSeconds < OPEN_SECONDS) return [];
  return [
    {
      check: "transactions",
      status: "warning",
      found: `one that writes has been open for ${Math.round(oldestWriteSeconds)} s`,
      advice:
        "Until it ends every recall reads all that was written since. See pg_stat_activity and pg_prepared_xacts, and end it.",
    },
  ];
}

function connections({ connectionsLeft }: DatabaseUpkeep, poolMax: number): Finding[] {
  if (connectionsLeft >= poolMax) return [];
  return [
    {
      check: "connections",
      status: "warning",
      found: `DATABASE_CONNECTIONS is ${poolMax}, and the database has ${connectionsLeft} for all servers of this service`,
      advice: "Raise max_connections of Postgres, or lower DATABASE_CONNECTIONS.",
    },
  ];
}

function erasures({ unfinishedErasures, unconfirmedReceipts }: DatabaseUpkeep): Finding[] {
  const findings: Finding[] = [];
  if (unfinishedErasures > 0)
    findings.push({
      check: "erasures",
      status: "warning",
      found: `${unfinishedErasures} of owners were begun and are not done`,
      advice:
        "Ask again for what was asked: recollect erase, or the same request. It goes on where it stopped.",
    });
  if (unconfirmedReceipts > 0)
    findings.push({
      check: "receipts",
      status: "warning",
      found: `${unconfirmedReceipts} removals have waited for more than an hour to be confirmed`,
      advice:
        "Start the service, or see what keeps its projection: with a search engine they wait for every index that is written.",
    });
  if (findings.length === 0)
    findings.push({ check: "erasures", status: "ok", found: "all that were begun are done", advice: null });
  return findings;
}
