import { z } from "zod";
import { tokenKind } from "./credential.ts";
import { endUserMember } from "./end-user-member.ts";
import { expenseRequest } from "./ledger.ts";
import { completionNote, content, describingFields, rememberRequest } from "./memory.ts";
import { bucket, instant, jsonObject, path, projectId, publicId, text, uuid } from "./primitives.ts";
import { todoCreateRequest, todoPriorities, todoStatuses } from "./project.ts";
import { recallContextRequest, searchRequest } from "./recall.ts";
import { type Scope, scopes } from "./scope.ts";

/** An operation of the skill runtime, under the name that skills use. */
export interface SkillOperation<I extends z.ZodObject = z.ZodObject, C extends string = string> {
  readonly summary: string;
  readonly input: I;
  /** The underlying operation. Its scope, rate limit and rules apply. */
  readonly calls: C;
  /** A complete, valid input. */
  readonly example: Readonly<Record<string, unknown>>;
}

function skillOperation<I extends z.ZodObject, const C extends string>(
  value: SkillOperation<I, C>,
): SkillOperation<z.ZodObject<Omit<I["shape"], "user_id"> & typeof endUserMember, I["_zod"]["config"]>, C> {
  return { ...value, input: value.input.safeExtend(endUserMember) } as never;
}

const inPath = path.nullish().meta({
  description: "Segments separated by `/`. Default: a path of the runtime's own, within the token's reach",
});
const inBucket = bucket
  .nullish()
  .meta({ description: "Default: the token's bucket, if it is confined to one" });
const inProject = projectId.nullish().meta({
  description: "Default: that of X-Project-Id, else the token's only project, else `general`",
});
const ofTeam = uuid.nullish().meta({ description: "Only this team" });

/** Identifies a saved state. It becomes a segment of the state's path. */
const stateKey = publicId
  .refine((key) => key !== "." && key !== "..", { error: "must not be . or .." })
  .meta({ description: "Names the state; saving it again replaces it", examples: ["release-7"] });

/** Members that locate a saved state. */
const stateMembers = {
  scope: describingFields.scope.optional(),
  team_id: describingFields.team_id.optional(),
  project_id: projectId.nullish(),
  bucket: inBucket,
};

/** All operations of the skill runtime, in reading order. */
export const skillOperations = {
  remember: skillOperation({
    summary: "Remember one thing that will still matter later, without duplicates",
    input: rememberRequest.extend({ path: inPath, bucket: inBucket }),
    calls: "remember",
    example: { content: "Deploys go out on Tuesdays.", semantic_key: "deploy-day" },
  }),
  recall: skillOperation({
    summary: "Recall what is known about a question, as a text within a budget, ready to give to a model",
    input: recallContextRequest.extend({}),
    calls: "recallContext",
    example: { query: "When do deploys go out?", max_items: 8, max_tokens: 1500 },
  }),
  search: skillOperation({
    summary: "Search for single memories, with their scores, best first",
    input: searchRequest.extend({}),
    calls: "searchMemories",
    example: { query: "deploys", limit: 5 },
  }),
  "save-state": skillOperation({
    summary:
      "Save how far the work has come, for yourself or the next agent; replaces the state saved under the same key",
    input: z.object({
      key: stateKey,
      content,
      metadata: jsonObject.nullish(),
      source: describingFields.source.optional(),
      expires_at: describingFields.expires_at.optional(),
      provenance: jsonObject.nullish(),
      ...stateMembers,
    }),
    calls: "storeMemory",
    example: { key: "release-7", content: "Tagged and built. Left: publish, announce." },
  }),
  "restore-state": skillOperation({
    summary:
      "Read the state last saved under a key, and who saved it: your own, or that of the team you name",
    input: z.object({ key: stateKey, ...stateMembers }),
    calls: "listMemories",
    example: { key: "release-7" },
  }),
  "todo-add": skillOperation({
    summary: "Add a todo to a project",
    input: todoCreateRequest.extend({ project_id: inProject, bucket: inBucket }),
    calls: "createTodo",
    example: { content: "Rotate the database password.", priority: "high" },
  }),
  "todo-list": skillOperation({
    summary: "List a project's todos, most urgent first",
    input: z.object({
      project_id: inProject,
      status: z.enum(todoStatuses).nullish(),
      priority: z.enum(todoPriorities).nullish(),
      team_id: ofTeam,
      cursor: publicId.nullish().meta({ description: "The next_cursor of the result before" }),
    }),
    calls: "listTodos",
    example: {},
  }),
  "todo-done": skillOperation({
    summary: "Complete a todo",
    input: z.object({ id: publicId, note: completionNote, project_id: inProject }),
    calls: "completeTodo",
    example: { id: "0190b7a5-6f3c-7a31-9d35-2f1c33a5e0b1", note: "Done on staging as well." },
  }),
  "expense-add": skillOperation({
    summary: "Record an expense in the ledger, with its exact amount",
    input: expenseRequest.extend({}),
    calls: "addExpense",
    example: { item: "Coffee beans", amount: "12.50", currency: "EUR" },
  }),
  doctor: skillOperation({
    summary: "Diagnose this token, the service and its index",
    input: z.object({
      client_time: instant.nullish().meta({ description: "The current time on your clock" }),
    }),
    calls: "doctor",
    example: {},
  }),
};

export type SkillOperationName = keyof typeof skillOperations;

export const skillOperationNames = Object.keys(skillOperations) as [
  SkillOperationName,
  ...SkillOperationName[],
];

export const SKILL_PATH = "/v1/skill/operations";

export const skillOperationName = z.enum(skillOperationNames).meta({ id: "SkillOperationName" });

const scopeList = z.array(z.enum(Object.keys(scopes) as [Scope, ...Scope[]]));

export const skillCatalogue = z
  .object({
    endpoint: z.literal(SKILL_PATH),
    how: z.string().meta({ description: "How to call an operation" }),
    credential: z
      .object({ kind: tokenKind, scopes: scopeList })
      .meta({ id: "SkillCredential", description: "The token of this request" }),
    operations: z.array(
      z
        .object({
          operation: skillOperationName,
          summary: z.string(),
          scopes: scopeList.meta({
            description: "Any one of these is enough; none is needed if the list is empty",
          }),
          may_call: z.boolean().meta({ description: "Whether this token may call it" }),
          why_not: z.string().nullable(),
          effect: z.enum(["read", "write", "destroy"]).meta({ id: "OperationEffect" }),
          input_schema: z.record(z.string(), z.unknown()).meta({ description: "JSON Schema of `input`" }),
          example: z
            .record(z.string(), z.unknown())
            .meta({ description: "A body that can be sent as it is" }),
        })
        .meta({ id: "SkillCatalogueEntry" }),
    ),
  })
  .meta({ id: "SkillCatalogue" });

export const skillRequest = z
  .object({
    operation: skillOperationName,
    // Any object is accepted here; the named operation validates it.
    input: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: "Must match the operation's `input_schema` in the catalogue" }),
    request_id: text(1, 128).nullish().meta({ description: "Returned in the answer. Default: X-Request-Id" }),
  })
  .meta({
    id: "SkillRequest",
    examples: [{ operation: "remember", input: skillOperations.remember.example }],
  });
export type SkillRequest = z.output<typeof skillRequest>;

export const skillAnswer = z
  .object({
    operation: skillOperationName,
    request_id: z.string(),
    ok: z.literal(true),
    result: z
      .record(z.string(), z.unknown())
      .meta({ description: "The operation's answer, as on its own route" }),
  })
  .meta({ id: "SkillAnswer" });
