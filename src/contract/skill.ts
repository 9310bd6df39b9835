import { z } from "zod";
import { tokenKind } from "./credential.ts";
import { expenseRequest } from "./ledger.ts";
import { completionNote, content, describingFields, rememberRequest } from "./memory.ts";
import { bucket, instant, jsonObject, path, projectId, publicId, text, uuid } from "./primitives.ts";
import { todoCreateRequest, todoPriorities, todoStatuses } from "./project.ts";
import { recallContextRequest, searchRequest } from "./recall.ts";
import { type Scope, scopes } from "./scope.ts";

/** One thing that the skill runtime does, under the name that skills know it by. */
export interface SkillOperation<I extends z.ZodObject = z.ZodObject, C extends string = string> {
  readonly summary: string;
  readonly input: I;
  /** The operation that carries it out: its scope, its rate limit and its rules are those of this one, too. */
  readonly calls: C;
  /** An input that can be sent as it is. */
  readonly example: Readonly<Record<string, unknown>>;
}

function skillOperation<I extends z.ZodObject, const C extends string>(
  value: SkillOperation<I, C>,
): SkillOperation<I, C> {
  return value;
}

const inPath = path.nullish().meta({
  description: "`/`-separated place; one of the runtime's own, where the token reaches, unless given",
});
const inBucket = bucket
  .nullish()
  .meta({ description: "The token's one bucket, where it is confined to one, unless given" });
const inProject = projectId.nullish().meta({
  description: "That of X-Project-Id, or the token's one project, or `general`, unless given",
});
const ofTeam = uuid.nullish().meta({ description: "That team only" });

/** Says what a state is of. It is a segment of its path. */
const stateKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, { error: "must be 1 to 128 of A-Z a-z 0-9 . _ : -" })
  .refine((key) => key !== "." && key !== "..", { error: "must not be . or .." })
  .meta({ description: "Names the state; saving it again replaces it", examples: ["release-7"] });

/** Where a state is kept. */
const stateMembers = {
  scope: describingFields.scope.optional(),
  team_id: describingFields.team_id.optional(),
  project_id: projectId.nullish(),
  bucket: inBucket,
};

/** Everything the skill runtime does, in the order a reader meets it. */
export const skillOperations = {
  remember: skillOperation({
    summary: "Keep one thing that will still matter later, once",
    input: rememberRequest.extend({ path: inPath, bucket: inBucket }),
    calls: "remember",
    example: { content: "Deploys go out on Tuesdays.", semantic_key: "deploy-day" },
  }),
  recall: skillOperation({
    summary: "A text of what is known about a question, within a budget, to be given to a model as it is",
    input: recallContextRequest.extend({}),
    calls: "recallContext",
    example: { query: "When do deploys go out?", max_items: 8, max_tokens: 1500 },
  }),
  search: skillOperation({
    summary: "Single memories with their scores, best first",
    input: searchRequest.extend({}),
    calls: "searchMemories",
    example: { query: "deploys", limit: 5 },
  }),
  "save-state": skillOperation({
    summary: "Put down where the work stands, for yourself or the next agent; replaces what the key had",
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
    summary: "The state that was saved last under a key, and by whom",
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
    summary: "A project's todos, the most urgent first",
    input: z.object({
      project_id: inProject,
      status: z.enum(todoStatuses).nullish(),
      priority: z.enum(todoPriorities).nullish(),
      team_id: ofTeam,
    }),
    calls: "listTodos",
    example: {},
  }),
  "todo-done": skillOperation({
    summary: "Say that a todo is done",
    input: z.object({ id: publicId, note: completionNote, project_id: inProject }),
    calls: "completeTodo",
    example: { id: "0190b7a5-6f3c-7a31-9d35-2f1c33a5e0b1", note: "Done on staging as well." },
  }),
  "expense-add": skillOperation({
    summary: "Write an expense into the ledger, exactly",
    input: expenseRequest.extend({}),
    calls: "addExpense",
    example: { item: "Coffee beans", amount: "12.50", currency: "EUR" },
  }),
  doctor: skillOperation({
    summary: "What this token is, what it may do, and how the service and its index are",
    input: z.object({ client_time: instant.nullish().meta({ description: "What your clock says now" }) }),
    calls: "doctor",
    example: {},
  }),
};

export type SkillOperationName = keyof typeof skillOperations;

export const skillOperationNames = Object.keys(skillOperations) as [
  SkillOperationName,
  ...SkillOperationName[],
];

/** Where the runtime is. */
export const SKILL_PATH = "/v1/skill/operations";

export const skillOperationName = z.enum(skillOperationNames).meta({ id: "SkillOperationName" });

const scopeList = z.array(z.enum(Object.keys(scopes) as [Scope, ...Scope[]]));

export const skillCatalogue = z
  .object({
    endpoint: z.literal(SKILL_PATH),
    how: z.string().meta({ description: "How an operation is called" }),
    credential: z
      .object({ kind: tokenKind, scopes: scopeList })
      .meta({ id: "SkillCredential", description: "The token that asks" }),
    operations: z.array(
      z
        .object({
          operation: skillOperationName,
          summary: z.string(),
          scopes: scopeList.meta({ description: "One of these is needed; none where there is none" }),
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
export type SkillCatalogue = z.output<typeof skillCatalogue>;

export const skillRequest = z
  .object({
    operation: skillOperationName,
    // Whatever object it is: the operation that is named says what may be in it.
    input: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: "As the operation's `input_schema` in the catalogue says" }),
    request_id: text(1, 128)
      .nullish()
      .meta({ description: "Comes back in the answer; X-Request-Id unless given" }),
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
      .meta({ description: "What the operation answers, as on its own route" }),
  })
  .meta({ id: "SkillAnswer" });
