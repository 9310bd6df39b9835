import type { IndexDocument } from "./index-document.ts";

/** What ends the project in a key: no project's id has it. */
const PROJECT_END = "/";

/** The session's name within its owner, or null. It is one project's: two projects may name theirs alike. */
export function sessionKey({
  projectId,
  sessionId,
}: Pick<IndexDocument, "projectId" | "sessionId">): string | null {
  return sessionId === null
    ? null
    : `${projectId === null ? "" : `${projectId.length}:${projectId}`}${PROJECT_END}${sessionId}`;
}

/** Whether a key is one of this session, whatever its project. */
export function isKeyOf(key: string | null, sessionId: string): boolean {
  return key !== null && key.slice(key.indexOf(PROJECT_END) + 1) === sessionId;
}
