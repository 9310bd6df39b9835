import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Where the client was made, and the package that came of it. */
export interface BuiltClient {
  /** The folder `packages/client/` of a copy of the sources, built. */
  readonly folder: string;
  readonly tarball: string;
}

/** Builds and packs the client as it is published, in a copy: two who test at once do not build in one place. */
export async function buildClient(within: string): Promise<BuiltClient> {
  const checkout = join(within, "checkout");
  const folder = join(checkout, "packages/client");
  mkdirSync(join(checkout, "node_modules"), { recursive: true });
  for (const path of ["src", "package.json", "tsconfig.json", "LICENSE", "node_modules/typescript"]) {
    cpSync(join(repository, path), join(checkout, path), { recursive: true });
  }
  // Not what was built there, perhaps right now, nor the frameworks of its own tests.
  const left = ["dist", "source", "node_modules"].map((name) => join(repository, "packages/client", name));
  cpSync(join(repository, "packages/client"), folder, {
    recursive: true,
    filter: (path) => !left.includes(path),
  });
  const native = join(repository, "node_modules/@typescript");
  if (existsSync(native)) cpSync(native, join(checkout, "node_modules/@typescript"), { recursive: true });
  await promisify(execFile)("npm", ["pack", "--pack-destination", within], { cwd: folder });
  const [tarball = ""] = readdirSync(within).filter((name) => name.endsWith(".tgz"));
  return { folder, tarball: join(within, tarball) };
}

/** Unpacks it where a user has installed it. */
export async function unpack({ tarball }: BuiltClient, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  await promisify(execFile)("tar", ["-xzf", tarball, "--strip-components=1", "-C", into]);
}
