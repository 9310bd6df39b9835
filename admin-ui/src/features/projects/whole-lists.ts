/** Todos and decisions of a project, all of them: the service answers long lists in parts. */
import { client, trpc } from "../../shell/trpc.ts";

interface Of {
  readonly project_id: string;
  readonly team_id: string | null | undefined;
}

export function todosOf(of: Of) {
  return {
    ...trpc.listTodos.queryOptions(of),
    queryFn: () =>
      allParts(
        (cursor) => client.listTodos.query({ ...of, cursor }),
        ({ todo_id }) => todo_id,
      ),
  };
}

export function decisionsOf(of: Of) {
  return {
    ...trpc.listDecisions.queryOptions(of),
    queryFn: () =>
      allParts(
        (cursor) => client.listDecisions.query({ ...of, cursor }),
        ({ decision_id }) => decision_id,
      ),
  };
}

/** Below this a list is whole: a part is left unfinished only if it is nearly as large as an answer may be. */
const WHOLE_CHARACTERS = 32_000;

async function allParts<T>(ask: (cursor: string | null) => Promise<T[]>, idOf: (item: T) => string) {
  const all: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const part = await ask(cursor);
    all.push(...part);
    const last = part.at(-1);
    if (last === undefined || JSON.stringify(part).length < WHOLE_CHARACTERS) return all;
    cursor = idOf(last);
  }
}
