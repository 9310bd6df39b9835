import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandOf } from "../../bin/runtime.js";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** What the Dockerfile makes, in a folder instead of an image. */
export interface BuiltImage {
  /** The image's root folder. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** What a container of it starts. */
  readonly command: readonly string[];
}

interface Stage {
  readonly name: string;
  readonly root: string;
  workdir: string;
  command: readonly string[];
  readonly env: Record<string, string>;
  /** For commands of this stage. */
  readonly args: Record<string, string>;
}

/**
 * Does what the Dockerfile says, line by line, without Docker: the same copies, of what .dockerignore lets in, and the same
 * commands. The base images' programs are this machine's Node and npm and the Bun that package.json names.
 */
export function buildImage(folder: string, args: Readonly<Record<string, string>> = {}): BuiltImage {
  const context = join(folder, "context");
  const let_in = [...readFileSync(join(repository, ".dockerignore"), "utf8").matchAll(/^!(.+)$/gm)];
  for (const [, path = ""] of let_in)
    cpSync(join(repository, path), join(context, path), { recursive: true });
  const stages: Stage[] = [];
  for (const { word, rest } of instructions()) {
    if (word === "FROM") stages.push(stageOf(folder, rest, stages.length));
    else follow(word, rest, { stage: stages.at(-1) as Stage, stages, context, args });
  }
  const last = stages.at(-1) as Stage;
  return { root: last.root, workdir: join(last.root, last.workdir), env: last.env, command: last.command };
}

/** Each instruction on one line, without comments. */
function instructions(): { word: string; rest: string }[] {
  const text = readFileSync(join(repository, "Dockerfile"), "utf8").replaceAll(/^\s*#.*\n/gm, "");
  const lines = text.replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => ({
      word: line.slice(0, line.indexOf(" ")),
      rest: line.slice(line.indexOf(" ") + 1).trim(),
    }));
}

function stageOf(folder: string, rest: string, at: number): Stage {
  const name = / AS (\S+)$/.exec(rest)?.[1] ?? `stage-${at}`;
  const root = join(folder, name);
  const bin = join(root, "usr/local/bin");
  mkdirSync(bin, { recursive: true });
  // Base images bring their runtime.
  if (/^oven\/bun:/.test(rest)) {
    const [bun = ""] = commandOf("bun");
    writeFileSync(join(bin, "bun"), `#!/bin/sh\nexec '${bun}' "$@"\n`);
    chmodSync(join(bin, "bun"), 0o755);
  }
  return { name, root, workdir: "/", command: [], env: {}, args: {} };
}

interface Following {
  readonly stage: Stage;
  readonly stages: readonly Stage[];
  readonly context: string;
  /** `--build-arg`. */
  readonly args: Readonly<Record<string, string>>;
}

function follow(word: string, rest: string, { stage, args, ...folders }: Following): void {
  if (word === "WORKDIR") {
    stage.workdir = rest;
    mkdirSync(join(stage.root, rest), { recursive: true });
  } else if (word === "COPY") copy(rest, { stage, ...folders });
  else if (word === "RUN") run(stage, rest);
  else if (word === "ENV") {
    for (const [, name = "", value = ""] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
  } else if (word === "ARG") {
    const [name = "", value = ""] = rest.split("=");
    stage.args[name] = args[name] ?? value;
  } else if (word === "CMD") stage.command = JSON.parse(rest);
  else if (!["USER", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL"].includes(word))
    throw new Error(`What is ${word}?`);
}

function copy(rest: string, { stage, stages, context }: Omit<Following, "args">): void {
  const [, from, listed = ""] = /^(?:--from=(\S+) )?(.+)$/.exec(rest) ?? [];
  const paths = listed.split(/\s+/);
  const to = paths.pop() as string;
  const source = from === undefined ? context : (stages.find(({ name }) => name === from)?.root as string);
  for (const path of paths) {
    const isFolder = to.endsWith("/");
    const target = join(stage.root, stage.workdir, to, isFolder ? (path.split("/").at(-1) as string) : "");
    if (!existsSync(join(source, path))) throw new Error(`COPY: there is no ${path}.`);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(source, path), target, { recursive: true });
  }
}

/** Absolute paths are those of the image; the folder that stands for its root is put before them. */
function run(stage: Stage, command: string): void {
  const inFolder = command.replaceAll(/(?<=^|\s)\/(?=app\/|usr\/local\/)/g, `${stage.root}/`);
  const { PATH = "", HOME = "" } = process.env;
  execFileSync("sh", ["-c", inFolder], {
    cwd: join(stage.root, stage.workdir),
    env: {
      PATH: `${join(stage.root, "usr/local/bin")}:${PATH}`,
      HOME,
      npm_config_prefer_offline: "true",
      ...stage.env,
      ...stage.args,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
