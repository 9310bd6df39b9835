/** The client's subpaths and peers are the same in the service's package, which brings the client along. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { types: string; default: string }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { optional: boolean }>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const manifest = (path: string): Manifest => JSON.parse(readFileSync(join(repository, path), "utf8"));
const [client, service] = [manifest("packages/client/package.json"), manifest("package.json")];

/** The target of a subpath, which may be one that a pattern stands for. */
function targetIn({ exports }: Manifest, subpath: string): unknown {
  const named = exports[subpath];
  if (named !== undefined) return named;
  const [, name = ""] = /^\.\/client\/(.+)$/.exec(subpath) ?? [];
  return JSON.parse(JSON.stringify(exports["./client/*"]).replaceAll("*", name));
}

test("each subpath is built, and the service's package has it too", () => {
  for (const [subpath, target] of Object.entries(client.exports)) {
    if (typeof target === "string") return expect.unreachable(subpath);
    for (const file of Object.values(target))
      expect(existsSync(join(repository, "packages/client", file)), file).toBe(true);
    const there = (file: string) => file.replace("./", "./packages/client/");
    const same = { types: there(target.types), default: there(target.default) };
    expect(targetIn(service, subpath.replace(".", "./client"))).toEqual(same);
  }
});

test("the frameworks are optional peers of both, from the version that is tested here", () => {
  for (const [name, range] of Object.entries(client.peerDependencies)) {
    expect(range).toBe(`^${client.devDependencies[name]}`);
    expect(service.peerDependencies[name]).toBe(range);
    for (const { peerDependenciesMeta } of [client, service])
      expect(peerDependenciesMeta[name]?.optional).toBe(true);
  }
});
