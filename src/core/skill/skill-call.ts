import type { z } from "zod";
import type { MemoryItem } from "../../contract/memory.ts";
import type { OperationName } from "../../contract/operations.ts";
import {
  type SkillOperationName,
  type SkillRequest,
  skillOperations,
  skillRequest,
} from "../../contract/skill.ts";
import type { Caller } from "../caller.ts";
import { asEndUser } from "../end-user/in-space.ts";
import { notFound } from "../error.ts";
import { validInput } from "../input/validation.ts";
import { nextCursorOf } from "../limits/answer-bytes.ts";
import { bucketWithin, ownership, placeWithin, teamOf } from "../memory/place.ts";

type Members = Readonly<Record<string, unknown>>;

/** Parses a request to the skill runtime. The named operation validates the input. */
export function readSkillRequest(sent: unknown): SkillRequest {
  return validInput({ input: skillRequest }, sent) as SkillRequest;
}

export function operationBehind(name: SkillOperationName): OperationName {
  return skillOperations[name].calls;
}

/** A skill's request in the form of the underlying operation, and the conversion of its answer for the skill. */
export interface SkillCall {
  readonly input: Members;
  resultOf(output: unknown): Members;
}

/**
 * Maps a skill operation's input to that of the underlying operation, adding members that a skill may omit, such as a
 * path that its token reaches. Throws `validation_failed` at the member of the given input.
 */
export function skillCallOf(name: SkillOperationName, caller: Caller, given: unknown): SkillCall {
  const input: { readonly user_id?: string | null | undefined } = validInput(
    skillOperations[name],
    given,
  ) as never;
  const translate = translations[name] as (caller: Caller, input: unknown) => Translation;
  const user = input.user_id ?? caller.userId ?? null;
  const { resultOf = asItIs, ...call } = translate(user === null ? caller : asEndUser(caller, user), input);
  return {
    input: { ...call.input, user_id: input.user_id },
    resultOf: (output) => resultOf(output as never),
  };
}

interface Translation {
  readonly input: Members;
  readonly resultOf?: (output: never) => Members;
}

const asItIs = (output: Members): Members => output;

type Input<N extends SkillOperationName> = z.output<(typeof skillOperations)[N]["input"]>;

const translations: {
  readonly [N in SkillOperationName]: (caller: Caller, input: Input<N>) => Translation;
} = {
  remember: (caller, input) => ({
    input: {
      ...input,
      path: input.path ?? placeWithin(caller, "notes"),
      bucket: input.bucket ?? bucketWithin(caller, "public"),
    },
  }),
  recall: (_, input) => ({ input }),
  search: (_, input) => ({ input }),
  "save-state": (caller, { key, metadata, ...input }) => ({
    input: {
      ...input,
      path: placeWithin(caller, `states/${key}`),
      bucket: input.bucket ?? bucketWithin(caller, "public"),
      memory_type: STATE,
      semantic_key: `${STATE}:${key}`,
      metadata: { ...metadata, [STATE_KEY]: key },
    },
    resultOf: (stored: Members) => ({ key, ...stored, status: "saved" }),
  }),
  "restore-state": (caller, { key, bucket, project_id, ...asked }) => ({
    input: {
      // Lists also cover the caller's teams, where other members could have saved a state under the same key.
      ...ownPlace(caller, asked),
      ...(bucket ? { bucket } : {}),
      project_id: project_id ?? caller.projectId,
      memory_type: STATE,
      metadata: { [STATE_KEY]: key },
      limit: 1,
    },
    resultOf({ memories: [newest] }: { memories: readonly MemoryItem[] }) {
      if (!newest) throw notFound("state");
      return { key, ...newest };
    },
  }),
  "todo-add": (caller, input) => ({
    input: {
      ...input,
      project_id: projectWithin(caller, input.project_id),
      bucket: input.bucket ?? bucketWithin(caller, "work"),
    },
  }),
  "todo-list": (caller, input) => {
    const project_id = projectWithin(caller, input.project_id);
    return {
      input: { ...input, project_id },
      resultOf: (todos: unknown) => {
        const next_cursor = nextCursorOf(todos);
        return { project_id, todos, ...(next_cursor === null ? {} : { next_cursor }) };
      },
    };
  },
  "todo-done": (caller, { id, note, project_id }) => ({
    input: { todo_id: id, note, project_id: projectWithin(caller, project_id) },
  }),
  "expense-add": (_, input) => ({ input }),
  doctor: (_, input) => ({ input }),
};

/** Returns filters for the owner and place of this caller's writes. Same errors as the write. */
function ownPlace(caller: Caller, asked: Pick<Input<"save-state">, "scope" | "team_id">) {
  const owned = ownership(caller, asked.scope ?? null, asked.team_id ?? null);
  return { scope: owned.scope, team_id: teamOf(owned) };
}

/** The type of a saved state, and the member of its metadata with its key. */
const STATE = "state";
const STATE_KEY = "state_key";

/** The default workspace of callers that are not confined to one. */
const GENERAL = "general";

function projectWithin({ projectId, space }: Caller, named: string | null | undefined): string {
  const only = space.projects?.length === 1 ? space.projects[0] : undefined;
  return named ?? projectId ?? only ?? GENERAL;
}
