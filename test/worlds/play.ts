import { leak, mayHold } from "./leak.ts";
import { lookEverywhere } from "./look.ts";
import { copyOf, type Model } from "./model.ts";
import { playWrite } from "./model-write.ts";
import { playAgent } from "./play-agents.ts";
import { playDeleteMatching } from "./play-delete-matching.ts";
import { playRead } from "./play-read.ts";
import { recordFault, takeOrder } from "./record.ts";
import { writeRequest } from "./requests.ts";
import { playRule } from "./rules.ts";
import type { Stage } from "./stage.ts";
import type { Step, Write } from "./step.ts";
import type { Told } from "./told.ts";

/** Carries out a step in the world and in the model; answers where the two disagree, or null. */
export async function play(stage: Stage, model: Model, step: Step): Promise<string | null> {
  switch (step.kind) {
    case "issue":
    case "revoke":
    case "rescope":
    case "role":
    case "ghost":
      await playRule(stage, model, step);
      return null;
    case "register":
    case "approve":
    case "confirm":
    case "rotate":
    case "denyAgent":
    case "revokeAgent":
      return playAgent(stage, model, step);
    case "list":
    case "search":
    case "context":
    case "get":
    case "versions":
    case "why":
    case "past":
    case "profile":
    case "receipt":
      return playRead(stage, model, step);
    case "look":
      return lookEverywhere(stage, model);
    case "deleteMatching":
      return playDeleteMatching(stage, model, step);
    case "together":
      return playTogether(stage, model, step.writes);
    default:
      return playAlone(stage, model, step);
  }
}

async function playAlone(stage: Stage, model: Model, write: Write): Promise<string | null> {
  const before = mayHold(model, write);
  const told = await stage.ask(write.by, writeRequest(stage, model, write));
  const fault = playWrite(model, write, told);
  return fault ?? leak(model, write.by, told, [...before, ...mayHold(model, write)]);
}

/**
 * Writes at once. Their answers, and what they leave behind, must be those of one order. Where several orders fit the
 * answers, the record says which it was.
 */
async function playTogether(stage: Stage, model: Model, writes: readonly Write[]): Promise<string | null> {
  const told = await Promise.all(
    writes.map((write) => stage.ask(write.by, writeRequest(stage, model, write))),
  );
  const before = writes.map((write) => mayHold(model, write));
  const faults: string[] = [];
  for (const order of ordersOf(writes.length)) {
    const tried = copyOf(model);
    const fault = firstOf(order, (n) => playWrite(tried, writes[n] as Write, told[n] as Told));
    const left = fault ?? (await recordFault(stage, tried));
    if (left === null) {
      Object.assign(model, tried);
      await takeOrder(stage, model);
      return firstOf(order, (n) => {
        const write = writes[n] as Write;
        const tags = [...(before[n] as string[]), ...mayHold(model, write)];
        return leak(model, write.by, told[n] as Told, tags);
      });
    }
    faults.push(left);
  }
  return `writes at once fit no order: ${faults.join(" | ")}`;
}

function firstOf<T>(items: readonly T[], faultOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault) return fault;
  }
  return null;
}

function ordersOf(count: number): number[][] {
  if (count === 0) return [[]];
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
  );
}
