import type { Operation } from "../../src/contract/operation.ts";
import type { HttpRequest, Target } from "./target.ts";

const PROJECT = "work";
const LATER = "2030-01-31T09:00:00Z";
const project = `/v1/projects/${PROJECT}`;

const post = (path: string, body: object = {}): HttpRequest => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
});
const remove = (path: string): HttpRequest => ({ method: "DELETE", path });

/** What has to be done first, with `{id}` for what was made, where what is merely made is not in the right state. */
const BEFORE: Readonly<Record<string, readonly HttpRequest[]>> = {
  restoreMemory: [remove("/v1/memories/{id}")],
  restoreTodo: [remove(`${project}/todos/{id}`)],
  restoreDecision: [remove(`${project}/decisions/{id}`)],
  unblockTodo: [post(`${project}/todos/{id}/block`, { reason: "a reason" })],
  reopenDecision: [post(`${project}/decisions/{id}/resolve`, { resolution: "so" })],
  completeTodo: [post(`${project}/todos/{id}/accept`)],
};

/** How what an operation names by its id is made, and which member of the answer has the id. */
const MADE: Readonly<Record<string, { readonly by: (unique: string) => HttpRequest; readonly id: string }>> =
  {
    memory_id: { by: (unique) => post("/v1/memories", { content: `One: ${unique}.`, path: "p" }), id: "id" },
    reminder_id: {
      by: (unique) =>
        post("/v1/memories", {
          content: `One: ${unique}.`,
          path: "p",
          memory_type: "reminder",
          metadata: { due_at: LATER },
        }),
      id: "id",
    },
    todo_id: { by: (unique) => post(`${project}/todos`, { content: `One: ${unique}.` }), id: "todo_id" },
    decision_id: {
      by: (unique) => post(`${project}/decisions`, { context: `One: ${unique}?` }),
      id: "decision_id",
    },
    run_id: {
      by: () =>
        post(`${project}/maintenance/execute`, { actions: ["archive_stale"], confirm_all_matching: true }),
      id: "run_id",
    },
  };

/**
 * The members of an operation's input that name something, with something new that it can be done with: what was done
 * once cannot always be done again.
 */
export async function knownIds(
  { name, input }: Operation,
  target: Target,
  secret: string,
): Promise<Readonly<Record<string, unknown>>> {
  const known: Record<string, unknown> = {};
  for (const member of Object.keys(input.shape)) {
    if (member === "project_id" && !input.shape[member]?.safeParse(undefined).success)
      known[member] = PROJECT;
    if (member === "receipt_id") known[member] = await receipt(target, secret);
    if (member === "erasure_id") known[member] = await erasure(target);
    if (member === "webhook_id") known[member] = await webhook(target, secret);
    const made = MADE[member];
    if (!made || input.shape[member]?.safeParse(undefined).success) continue;
    const id = await done(target, secret, made.by(crypto.randomUUID()), made.id);
    for (const { path, ...request } of BEFORE[name] ?? [])
      await done(target, secret, { ...request, path: path.replace("{id}", id) });
    known[member] = id;
  }
  if (name === "executeMaintenance") known.confirm_all_matching = true;
  if (name === "deleteMatching") known.filter = { path: "nowhere" };
  return known;
}

async function receipt(target: Target, secret: string): Promise<string> {
  const made = MADE.memory_id as (typeof MADE)[string];
  const id = await done(target, secret, made.by(crypto.randomUUID()), made.id);
  const { body } = await target.send(remove(`/v1/memories/${id}?mode=hard_delete`), secret);
  return (body as { receipt: { id: string } }).receipt.id;
}

/** The erasure of an owner that is made for it. */
async function erasure(target: Target): Promise<string> {
  const name = `erased ${crypto.randomUUID()}`;
  const secret = await target.credential(name);
  const { body } = await target.send(post("/v1/erasures"), secret);
  const { plan_hash } = body as { plan_hash: string };
  const confirmation = { dry_run: false, confirm: name, plan_hash };
  return done(target, secret, post("/v1/erasures", confirmation), "erasure_id");
}

/** The owner's webhook, and a new one if it has none: an owner may have only a few. */
async function webhook(target: Target, secret: string): Promise<string> {
  const { body } = await target.send({ method: "GET", path: "/v1/webhooks" }, secret);
  const [first] = (body as { webhooks: readonly { id: string }[] }).webhooks;
  return first?.id ?? done(target, secret, post("/v1/webhooks", { url: "https://receiver.example/events" }));
}

async function done(target: Target, secret: string, request: HttpRequest, member = "id"): Promise<string> {
  const { status, body } = await target.send(request, secret);
  if (status >= 300)
    throw new Error(`${request.method} ${request.path} answered ${status}: ${JSON.stringify(body)}`);
  return String((body as Record<string, unknown>)[member]);
}
