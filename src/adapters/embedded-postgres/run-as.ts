/**
 * Postgres refuses to run as root. Root therefore starts it as the owner of the data folder. Where that is root as well,
 * it runs in a user namespace in which root appears as another user (no file changes its owner, and folders that only
 * root may enter stay usable). Where that is not allowed, it runs as `nobody`, who is then given the data folder.
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
  /** The user to become; none means to stay who we are. */
  user?: { uid: number; gid: number };
}

const nobody = { uid: 65534, gid: 65534 };

export function chooseRunAs(folder: DataFolder): RunAs {
  const uid = process.getuid?.() ?? -1;
  // initdb wants a name for its user, which `docker run --user 12345` does not have.
  if (uid !== 0) return { prefix: namedUsers().includes(uid) ? [] : (namespacePrefix() ?? []) };
  const owner = lstatSync(existsSync(folder.cluster) ? folder.cluster : folder.root);
  if (owner.uid !== 0) return { prefix: [], user: { uid: owner.uid, gid: owner.gid } };
  const prefix = namespacePrefix();
  if (prefix !== undefined) return { prefix };
  if (process.platform !== "linux") throw rootNotAllowed("");
  return becomeNobody(folder);
}

/** Gives the folder to `nobody`, but of its contents only what Postgres needs, when that is made or used. */
function becomeNobody({ root }: DataFolder): RunAs {
  const runAs = { prefix: [], user: nobody };
  chownSync(root, nobody.uid, nobody.gid);
  if (canRun(runAs, ["test", "-x", root])) return runAs;
  chownSync(root, 0, 0);
  throw rootNotAllowed(`, and user ${nobody.uid} may not enter ${root}`);
}

/** Whether a harmless program succeeds when started that way. */
export function canRun({ prefix, user }: RunAs, command: [string, ...string[]]): boolean {
  const [program, ...args] = [...prefix, ...command] as [string, ...string[]];
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  return spawnSync(program, args, { cwd: "/", env, stdio: "ignore", ...user }).status === 0;
}

/** Gives a file to the user that Postgres runs as, or a folder with all its contents unless it is theirs already. */
export function giveFilesTo({ user }: RunAs, path: string): void {
  if (user === undefined) return;
  const entry = lstatSync(path);
  // A link is not followed: its target may belong to somebody else.
  if (entry.isSymbolicLink() || entry.uid === user.uid) return;
  if (entry.isDirectory())
    for (const name of readdirSync(path)) giveFilesTo({ prefix: [], user }, join(path, name));
  // The folder comes last, so that one given away half is given away again at the next start.
  chownSync(path, user.uid, user.gid);
}

function namespacePrefix(): [string, ...string[]] | undefined {
  // Any user with a name will do, but root.
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
