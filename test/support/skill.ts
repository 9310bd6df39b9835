import { expect } from "vitest";
import type { SkillOperationName } from "../../src/contract/skill.ts";
import type { Answer, Client } from "./world.ts";

/** Where the skill runtime is. */
export const SKILLS = "/v1/skill/operations";

/** Asks the skill runtime to carry out one of its operations; answers whatever comes, refusals included. */
export function askSkill(
  client: Pick<Client, "post">,
  operation: SkillOperationName,
  input: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return client.post(SKILLS, { operation, input }, headers);
}

/** The result of an operation that is expected to be carried out. */
export async function runSkill(
  client: Pick<Client, "post">,
  operation: SkillOperationName,
  input: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer["body"]> {
  const { status, body } = await askSkill(client, operation, input, headers);
  expect({ status, body }).toMatchObject({ status: 200, body: { operation, ok: true } });
  return body.result;
}
