import type { IndexDocument } from "./index-document.ts";

/** The session's name within its owner, or null. It is one project's: two projects may name theirs alike. */
export function sessionKey({
  projectId,
  sessionId,
}: Pick<IndexDocument, "projectId" | "sessionId">): string | null {
  return sessionId === null
    ? null
    : `${projectId === null ? "" : `${projectId.length}:${projectId}`}/${sessionId}`;
}
