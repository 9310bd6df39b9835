import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { Space } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import type { Titles } from "./audit-words.tsx";

const TITLE_CHARACTERS = 160;

/** The beginnings of the memories that the lines are about, as far as the reader may see them. */
export function useTitles(space: Space, pages: readonly Outputs["listAudit"][]): Titles {
  const asked = pages
    .map(({ lines }) => [...new Set(lines.flatMap(({ memory_id }) => memory_id ?? []))])
    .filter((ids) => ids.length > 0)
    // The pattern for any status leaves out what was forgotten.
    .flatMap((memory_ids) => ["%", "soft_deleted"].map((status) => ({ memory_ids, status })));
  return useQueries({
    queries: asked.map(({ memory_ids, status }) =>
      trpc.listMemories.queryOptions(
        { ...space.filter, memory_ids, status, limit: memory_ids.length },
        { placeholderData: keepPreviousData },
      ),
    ),
    combine: titlesOf,
  });
}

const titlesOf = (answers: readonly { readonly data?: Outputs["listMemories"] | undefined }[]): Titles =>
  new Map(
    answers.flatMap(({ data }) =>
      (data?.memories ?? []).map(({ id, content }) => [id, content.slice(0, TITLE_CHARACTERS)] as const),
    ),
  );
