import { open, rename, rm } from "node:fs/promises";
import { CommandFailure } from "./failure.ts";

/**
 * Writes a file that is complete or not there: to a temporary one beside it, that takes its name when all is on disk.
 * Only its user may read it.
 */
export async function writeWhole<T>(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const temporary = `${file}.${process.pid}.partial`;
  const handle = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT")
      throw new CommandFailure(`${file} cannot be written: its folder does not exist.`);
    throw error;
  });
  try {
    const result = await work(async (text) => {
      // Unlike `write`, this one goes on until everything is written.
      await handle.appendFile(text);
    });
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}
