import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import { giveTo, type RunAs } from "./run-as.ts";

/** Makes the folder of the socket, sees to it that it is ours, and removes what a kill -9 left there. */
export function prepareSocketFolder({ root, socketFolder, socket }: DataFolder, runAs: RunAs): void {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const entry = lstatSync(socketFolder);
  const owners = [process.getuid?.(), runAs.user?.uid];
  // Below /tmp anybody may have been there first.
  if (!entry.isDirectory() || !owners.includes(entry.uid)) {
    throw new EmbeddedDatabaseError(
      `The folder ${socketFolder} for the socket of ${root} belongs to somebody else: remove it, or choose a shorter DATA_DIR.`,
    );
  }
  chmodSync(socketFolder, 0o700);
  giveTo(runAs, socketFolder);
  for (const leftOver of [socket, `${socket}.lock`]) rmSync(leftOver, { force: true });
}

/** Only one that lies outside the data folder, where nobody would know what it is for. */
export function removeSocketFolder({ root, socketFolder }: DataFolder): void {
  if (!socketFolder.startsWith(`${root}/`)) rmSync(socketFolder, { recursive: true, force: true });
}
