/** What the image and the compose file say must agree with what they are made of. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(join(repository, name), "utf8");
const packages = JSON.parse(read("package.json")) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const compose = read("docker-compose.yml");
const required = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1] as string);

test("the image runs the Bun that package.json names", () => {
  expect(read("Dockerfile")).toContain(`FROM oven/bun:${packages.devDependencies.bun}-slim`);
});

test("the compose file runs the Elasticsearch that the client is made for, and names this version", () => {
  const versions = [...compose.matchAll(/elasticsearch\/elasticsearch:(\S+)/g)].map((match) => match[1]);
  expect(new Set(versions)).toEqual(new Set([packages.dependencies["@elastic/elasticsearch"]]));
  expect(compose).toContain(`image: recollect:${packages.version}`);
});

test("everything that .dockerignore lets in is there, and the Dockerfile copies nothing else", () => {
  const let_in = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map((match) => match[1] as string);
  for (const path of let_in) expect(existsSync(join(repository, path)), path).toBe(true);
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
    (match[1] as string).split(" "),
  );
  expect(copied.filter((path) => !let_in.includes(path))).toEqual([]);
});

test("no secret has a default: each must be set, and .env.example names it without a value", () => {
  const example = read(".env.example");
  for (const name of new Set(required)) expect(example).toMatch(new RegExp(`^${name}=`, "m"));
  for (const name of required.filter((secret) => /PASSWORD|KEY/.test(secret))) {
    expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
  }
  expect(compose).not.toMatch(/\$\{[A-Z_]+:?-/);
});

test("where Docker's compose is at hand, it takes the file, and refuses it without the secrets", () => {
  const config = (env: Record<string, string>) =>
    spawnSync("docker", ["compose", "--env-file", "/dev/null", "config", "--quiet"], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    }).status;
  if (spawnSync("docker", ["compose", "version"]).status !== 0) return;
  expect(config(Object.fromEntries(required.map((name) => [name, "x"])))).toBe(0);
  expect(config({})).not.toBe(0);
});
