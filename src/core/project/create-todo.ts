import type { z } from "zod";
import type { todoCreateRequest } from "../../contract/project.ts";
import type { Caller } from "../caller.ts";
import { requireMember } from "../memory/access.ts";
import { remarksOn, screen } from "../memory/screen.ts";
import { lockForWrite } from "../memory/write-rules.ts";
import { actorOf } from "./actor.ts";
import { placeItem } from "./compose.ts";
import { todosNamed } from "./dependencies.ts";
import { presentTodo } from "./present.ts";
import { recalledTodo } from "./recalled.ts";
import type { Todo } from "./todo.ts";
import { type ItemPorts, insertItem } from "./write-item.ts";

type CreateInput = z.output<typeof todoCreateRequest> & { project_id: string };

/**
 * Adds a todo, `assigned` where it names an assignee, else `open`. `validation_failed` where it depends on what is no
 * todo of the workspace; ownership and its refusals as for memories.
 */
export async function createTodo(ports: ItemPorts, caller: Caller, asked: CreateInput) {
  const { input, ...screened } = screen(ports.secrets, asked);
  const placed = placeItem(ports, caller, "todo", input);
  const todo = newTodo(input, placed.extra);
  const memory = placed.saying(recalledTodo(todo));
  return ports.store.transaction(caller, async (transaction) => {
    await requireMember(transaction, memory.ownerId);
    await lockForWrite(caller, transaction, []);
    const workspace = { ownerId: memory.ownerId, projectId: input.project_id };
    // Nothing depends on a new todo yet: so no circle can be closed.
    const dependsOn = await todosNamed(transaction, workspace, input.depends_on ?? []);
    const { id, createdAt } = await insertItem(ports, caller, transaction, memory);
    await transaction.workspace.insertTodo(id, todo, dependsOn);
    await transaction.workspace.record(id, {
      at: createdAt,
      operation: "create",
      from: null,
      to: todo.status,
      actor: actorOf(caller),
      note: null,
    });
    const notices = [...screened.notices, ...placed.notices];
    return {
      ...presentTodo(caller, await transaction.workspace.todo(id)),
      ...remarksOn(screened, notices),
    };
  });
}

function newTodo(input: CreateInput, extra: Todo["extra"]): Todo {
  const assignee = input.assignee_agent_id ?? null;
  return {
    content: input.content,
    status: assignee === null ? "open" : "assigned",
    priority: input.priority,
    assignee,
    acceptedBy: null,
    blockedFrom: null,
    blockedReason: null,
    dueAt: input.due_at ? Date.parse(input.due_at) : null,
    endedAt: null,
    endNote: null,
    sourceMemoryId: input.source_memory_id ?? null,
    extra,
  };
}
