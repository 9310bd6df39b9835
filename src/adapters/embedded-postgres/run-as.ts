/**
 * Postgres refuses to run as root. Root therefore starts it as the owner of the data folder. If the owner is root as
 * well, Postgres runs in a user namespace in which root appears as another user (no file changes its owner, and folders
 * that only root may enter stay usable). If that is not allowed, it runs as `nobody`, and the data folder is given to
 * `nobody`.
 */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError } from "./errors.ts";

/** How to start a native program so that Postgres accepts its user. */
export interface RunAs {
  /** Prefix of the command. */
  prefix: string[];
  /** The user to switch to. Default: the current user. */
  user?: { uid: number; gid: number };
}

const nobody = { uid: 65534, gid: 65534 };

export function chooseRunAs(folder: DataFolder): RunAs {
  const uid = process.getuid?.() ?? -1;
  // initdb requires that its user has a name, which the user of `docker run --user 12345` does not have.
  if (uid !== 0) return { prefix: namedUsers().includes(uid) ? [] : (namespacePrefix() ?? []) };
  const owner = lstatSync(existsSync(folder.cluster) ? folder.cluster : folder.root);
  if (owner.uid !== 0) return { prefix: [], user: { uid: owner.uid, gid: owner.gid } };
  const prefix = namespacePrefix();
  if (prefix !== undefined) return { prefix };
  if (process.platform !== "linux") throw rootNotAllowed("");
  return becomeNobody(folder);
}

/**
 * Gives the folder itself to `nobody`. Its contents follow when they are made or used, and only what Postgres needs.
 */
function becomeNobody({ root }: DataFolder): RunAs {
  const runAs = { prefix: [], user: nobody };
  chownSync(root, nobody.uid, nobody.gid);
  if (canRun(runAs, ["test", "-x", root])) return runAs;
  chownSync(root, 0, 0);
  throw rootNotAllowed(`, and user ${nobody.uid} may not enter ${root}`);
}

/** Returns whether a harmless program succeeds when started this way. */
export function canRun({ prefix, user }: RunAs, command: [string, ...string[]]): boolean {
  const [program, ...args] = [...prefix, ...command] as [string, ...string[]];
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  return spawnSync(program, args, { cwd: "/", env, stdio: "ignore", ...user }).status === 0;
}

/**
 * Gives a file, or a folder with all its contents, to the user that Postgres runs as, unless that user owns it already.
 */
export function giveFilesTo({ user }: RunAs, path: string): void {
  if (user === undefined) return;
  const entry = lstatSync(path);
  // A link is not followed: its target may belong to another user.
  if (entry.isSymbolicLink() || entry.uid === user.uid) return;
  if (entry.isDirectory())
    for (const name of readdirSync(path)) giveFilesTo({ prefix: [], user }, join(path, name));
  // The folder itself comes last. If this is interrupted, the next start repeats it.
  chownSync(path, user.uid, user.gid);
}

function namespacePrefix(): [string, ...string[]] | undefined {
  // Any named user except root will do.
  const inside = namedUsers().find((uid) => uid !== 0);
  if (process.platform !== "linux" || inside === undefined) return undefined;
  const prefix: [string, ...string[]] = [
    "unshare",
    "--user",
    `--map-user=${inside}`,
    `--map-group=${inside}`,
  ];
  return canRun({ prefix: [] }, [...prefix, "true"]) ? prefix : undefined;
}

function namedUsers(): number[] {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").trim().split("\n");
    return lines.map((line) => Number(line.split(":")[2]));
  } catch {
    return [];
  }
}

function rootNotAllowed(detail: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `Postgres refuses to run as root, and user namespaces are not allowed here${detail}: run this as another user, or set DATABASE_URL to a Postgres server.`,
  );
}
