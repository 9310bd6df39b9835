import { z } from "zod";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import {
  SKILL_PATH,
  type SkillOperationName,
  skillOperationNames,
  skillOperations,
} from "../../contract/skill.ts";
import { mayCall } from "../caller.ts";
import type { UseCase } from "../use-case.ts";
import { operationBehind } from "./skill-call.ts";

const HOW = `POST ${SKILL_PATH} with {"operation": "…", "input": {…}}. The answer is {"operation", "request_id", "ok": true, "result"}; a refusal has {"detail", "code"} and an HTTP status of 400 or more. Send the token as X-API-Key or Authorization: Bearer.`;

/** Returns all operations of the skill runtime, and which of them this caller's credential allows. */
export const listSkillOperations: UseCase<unknown, "listSkillOperations"> = async (_, caller) => ({
  endpoint: SKILL_PATH,
  how: HOW,
  credential: { kind: caller.tokenKind, scopes: [...caller.scopes] },
  operations: skillOperationNames.map((name) => {
    const { summary, example } = skillOperations[name];
    const behind = operations[operationBehind(name)] as unknown as Operation;
    const may_call = mayCall(caller, behind);
    return {
      operation: name,
      summary,
      scopes: [...behind.scopes],
      may_call,
      why_not: may_call ? null : `This token lacks the scope ${behind.scopes.join(" or ")}.`,
      effect: behind.effect,
      input_schema: inputSchemaOf(name),
      example: { operation: name, input: example },
    };
  }),
});

type JsonSchema = Record<string, unknown>;
const schemas = new Map<SkillOperationName, JsonSchema>();

/** Cached, since making it takes a millisecond. */
function inputSchemaOf(name: SkillOperationName): JsonSchema {
  const known = schemas.get(name);
  if (known) return known;
  const { input } = skillOperations[name];
  const {
    $schema: _,
    "~standard": __,
    ...made
  } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    // The format is sufficient, and the pattern of an instant alone is longer than most schemas.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  schemas.set(name, made);
  return made;
}
