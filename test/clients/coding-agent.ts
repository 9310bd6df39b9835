import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "../protocol/run.ts";
import type { Outcome } from "../protocol/suite.ts";
import { type ScriptedModel, scriptedModel, type Turn } from "./scripted-model.ts";

const WITHIN_MS = 600_000;

/** How a coding agent is started beside a scripted model. */
export interface AgentRun {
  readonly command: readonly string[];
  /** Its whole environment, besides PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
}

/** What became of a run. */
export interface AgentRan {
  readonly code: number | null;
  readonly output: string;
  /** The requests that took the model's turns, each as its JSON text. */
  readonly asked: readonly string[];
  /** How many turns nobody asked for. */
  readonly left: number;
}

/** A home and a project of their own in `folder`, the project with what lies in `example`. */
export function placeOf(folder: string, example?: string): { home: string; project: string } {
  const place = { home: join(folder, "home"), project: join(folder, "heron") };
  for (const path of Object.values(place)) mkdirSync(path, { recursive: true });
  if (example !== undefined) cpSync(example, place.project, { recursive: true });
  return place;
}

/**
 * Runs a coding agent in `project` to its end, on a model that takes the turns, with nothing of this user's home and
 * environment. `tool`: as for `scriptedModel`.
 */
export async function runAgent(
  { home, project }: { home: string; project: string },
  turns: readonly Turn[],
  how: (model: ScriptedModel) => AgentRun,
  tool?: string,
): Promise<AgentRan> {
  const model = await scriptedModel(turns, tool);
  try {
    const { command, env } = how(model);
    const { code, output } = await start(alone(home, command, env), { cwd: project, withinMs: WITHIN_MS })
      .ran;
    return { code, output, asked: model.asked, left: model.left() };
  } finally {
    model.close();
  }
}

/** A command with nothing of this user's environment but the path to programs. */
export function alone(
  home: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): readonly string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ["env", "-i", `PATH=${process.env.PATH ?? ""}`, `HOME=${home}`, ...variables, ...command];
}

/** One thing that must be so, and what to say where it is not. */
export type Check = readonly [name: string, holds: boolean];

/** Passed where the agent ended well and every check holds. */
export function outcomeOf(ran: AgentRan, checks: readonly Check[]): Outcome {
  const all: Check[] = [
    ["it ended with 0", ran.code === 0],
    ["every turn was taken", ran.left === 0],
    ...checks,
  ];
  const failed = all.filter(([, holds]) => !holds).map(([name]) => name);
  return {
    passed: failed.length === 0,
    counts:
      failed.length === 0
        ? `${all.length} checks`
        : `${failed.length} of ${all.length} checks failed: ${failed.join("; ")}`,
    output: [ran.output, ...ran.asked.map((body) => `asked: ${body.slice(-4000)}`)].join("\n"),
  };
}
