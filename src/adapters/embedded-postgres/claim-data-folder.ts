import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { DataFolder } from "./data-folder.ts";
import { DataFolderInUse, EmbeddedDatabaseError } from "./errors.ts";
import { type Claim, type FolderLock, rulingClaim, takeLock } from "./folder-lock.ts";
import { identifyProcess, thisHost } from "./process-identity.ts";

/** Either the folder is ours now, or its database is running and may be used. */
export type ClaimedFolder = { lock: FolderLock } | { runningSocket: string };

const pollMs = 100;
/** A command beside a starting server waits for it, and a server for a command: both are short affairs. */
const patienceMs = { tool: 90_000, server: 15_000 };

/**
 * Takes the folder, or for a tool finds the database of the server that has it.
 *
 * @throws DataFolderInUse when a living server has it (role "server").
 */
export async function claimDataFolder(
  folder: DataFolder,
  options: { dataDir: string; role: "server" | "tool"; log: (message: string) => void },
): Promise<ClaimedFolder> {
  const { role } = options;
  const startedAt = Date.now();
  let hasTold = false;
  for (;;) {
    const { number, claim } = rulingClaim(folder.locks);
    if (claim === undefined || !(await isHeld(claim))) {
      const lock = takeLock(folder.locks, ourClaim(folder, role), number);
      if (lock !== undefined) return { lock };
      continue;
    }
    if (role === "tool" && (await answers(claim.socket))) return { runningSocket: claim.socket };
    const isOver = Date.now() - startedAt > patienceMs[role];
    if (role === "server" && (claim.role === "server" || isOver)) throw inUse(options.dataDir, claim);
    if (isOver) throw notAnswering(options.dataDir, claim);
    if (!hasTold) options.log(`Waiting for process ${claim.process.pid}, which has the data folder.`);
    hasTold = true;
    await sleep(pollMs);
  }
}

/** Whether something listens on the socket. */
function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (isListening: boolean) => () => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once("connect", settle(true));
    socket.once("error", settle(false));
  });
}

async function isHeld(claim: Claim): Promise<boolean> {
  if (claim.isReleased) return false;
  // A process number from another container says nothing here, but its socket does.
  if (claim.process.host !== thisHost()) return answers(claim.socket);
  return identifyProcess(claim.process.pid)?.started === claim.process.started;
}

function ourClaim(folder: DataFolder, role: "server" | "tool"): Claim {
  const us = identifyProcess(process.pid);
  if (us === undefined) {
    throw new EmbeddedDatabaseError(
      "The embedded database cannot lock its folder because neither /proc nor ps shows this process: mount /proc, or set DATABASE_URL.",
    );
  }
  return { process: us, role, socket: folder.socket, isReleased: false };
}

function inUse(dataDir: string, { process }: Claim): DataFolderInUse {
  return new DataFolderInUse(dataDir, { pid: process.pid, isElsewhere: process.host !== thisHost() });
}

function notAnswering(dataDir: string, { process }: Claim): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `Process ${process.pid} has the data folder ${dataDir} but its database does not answer: look at its log, or stop it.`,
  );
}
