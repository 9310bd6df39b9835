import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { freshDataDir, startOpener } from "./world.ts";

// Only root can become somebody else.
const asRoot = test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux");

/** A PATH on which `unshare` fails, as it does in most containers. */
function pathWithoutNamespaces(): string {
  const bin = freshDataDir();
  mkdirSync(bin);
  writeFileSync(join(bin, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return `${bin}:${process.env.PATH}`;
}

asRoot("root without user namespaces runs the database as nobody", async () => {
  const dataDir = freshDataDir();
  chmodSync(dirname(dataDir), 0o711);
  const PATH = pathWithoutNamespaces();
  const first = startOpener(dataDir, { env: { PATH } });
  expect((await first.outcome()).message).toBeUndefined();
  first.say("stop");
  await first.hears(({ stopped }) => stopped === true);
  expect(statSync(join(dataDir, "postgres")).uid).toBe(65534);
  // And so it stays when namespaces are allowed again.
  expect((await startOpener(dataDir).outcome()).message).toBeUndefined();
});

asRoot("root without user namespaces is refused where nobody may not enter", async () => {
  const { message } = await startOpener(freshDataDir(), { env: { PATH: pathWithoutNamespaces() } }).outcome();
  expect(message).toMatch(
    /^Postgres refuses to run as root, .* run this as another user, or set DATABASE_URL/,
  );
});
