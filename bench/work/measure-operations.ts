import type { Operation } from "../../src/contract/operation.ts";
import { operationList } from "../../src/contract/operations.ts";
import { say } from "../chaos/say.ts";
import { double, type Growth, type Judging } from "./doubling.ts";
import { type Attack, attacksOn } from "./hostile-members.ts";
import { shapes } from "./hostile-text.ts";
import { knownIds } from "./known-ids.ts";
import { mcpRequest, plainInput, restRequest } from "./requests.ts";
import type { HttpRequest, Target } from "./target.ts";

type Members = Readonly<Record<string, unknown>>;

/** What an attack on an operation came to. */
export interface OperationFound {
  readonly operation: string;
  readonly attack: string;
  readonly shape: string;
  readonly found: Growth;
}

/** What operations answer to their plain request where it is refused, though nothing is wrong with it. */
const PLAINLY_REFUSED: Readonly<Record<string, string>> = {
  confirmBinding: "nobody has approved the agent",
  denyBinding: "nobody has approved the agent",
  rotateAgentToken: "the credential belongs to no agent",
  issueSkillToken: "the credential belongs to no agent",
  undoMaintenanceRun: "the run has changed nothing",
};

/** Operations whose owner has many memories: what they cost depends on what is there. */
export const READER = "reader";

export interface MeasuringOperations {
  readonly target: Target;
  readonly match: RegExp;
  readonly shapes: number;
  readonly seed: number;
  readonly judging: Judging;
}

/** What was measured, and which operations could not be: a request that is refused anyway measures nothing. */
export interface Operations {
  readonly found: readonly OperationFound[];
  readonly refused: readonly string[];
}

/** Every attack on every operation over REST, and over MCP where it is a tool. */
export async function measureOperations(how: MeasuringOperations): Promise<Operations> {
  const all: OperationFound[] = [];
  const refused: string[] = [];
  for (const operation of operationList) {
    if (!how.match.test(operation.name)) continue;
    const { found, refusal } = await measureOperation(operation, how);
    if (refusal !== null) refused.push(refusal);
    const worst = found.toSorted((a, b) => b.found.worstMs - a.found.worstMs)[0];
    say(
      `${operation.name}: ${found.length} attacks, at most ${worst?.found.worstMs.toFixed(0)} ms (${worst?.attack})`,
    );
    all.push(...found);
  }
  return { found: all, refused };
}

async function measureOperation(
  operation: Operation,
  how: MeasuringOperations,
): Promise<{ found: OperationFound[]; refusal: string | null }> {
  const { target } = how;
  const secret = await secretFor(operation, target);
  const remembers = operation.effect !== "read";
  let held = await knownIds(operation, target, secret);
  const known = async () => {
    if (remembers) held = await knownIds(operation, target, secret);
    return held;
  };
  const refusal = await plainRefusal(operation, target, secret, held);
  const doors: readonly [string, (input: Members) => HttpRequest | null][] = [
    ["", (input) => restRequest(operation, input)],
    ["MCP, ", (input) => mcpRequest(operation, input)],
  ];
  const all: OperationFound[] = [];
  for (const [n, shape] of shapes(how.shapes, how.seed ^ operation.name.length).entries()) {
    for (const attack of attacksOn(operation, shape)) {
      // What is refused does not depend on the composition.
      if (n > 0 && !attack.isAccepted) continue;
      for (const [door, requestOf] of doors) {
        if (requestOf({}) === null || (door !== "" && !isWorthTwoDoors(attack))) continue;
        const found = await double(
          {
            name: operation.name,
            sizes: attack.sizes,
            measure: async (size) => {
              const input = attack.make(plainInput(operation, await known()), size);
              return target.cost(requestOf(input) as HttpRequest, secret);
            },
          },
          how.judging,
        );
        all.push({ operation: operation.name, attack: door + attack.name, shape: shape.name, found });
      }
    }
  }
  return { found: all, refusal };
}

/** The doors differ in how they read a body, not in what is done with a member. */
function isWorthTwoDoors({ name, sizes }: Attack): boolean {
  return name.startsWith("all:") || (sizes.at(-1) as number) >= 32 * 1024;
}

async function secretFor({ name, kinds, effect }: Operation, target: Target): Promise<string> {
  const [kind = "api_key"] = kinds ?? [];
  if (kind !== "api_key") return target.credential(`${name}'s owner`, kind);
  return target.credential(effect === "read" ? READER : `${name}'s owner`);
}

/** Why the plain request is refused, where nothing is wrong with it; null where it is not, or must be. */
async function plainRefusal(
  operation: Operation,
  target: Target,
  secret: string,
  known: Members,
): Promise<string | null> {
  const request = restRequest(operation, plainInput(operation, known));
  const { status, body } = await target.send(request, secret);
  if (status < 300 || operation.name in PLAINLY_REFUSED) return null;
  return `FAILED ${operation.name}: its plain request is answered ${status}: ${JSON.stringify(body).slice(0, 200)}`;
}
