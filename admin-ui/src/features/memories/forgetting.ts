/**
 * Forgetting and restoring, shown before it is answered. The pattern for what can be taken back: stop what is being
 * fetched, keep what was shown, change it; where the service refuses, put it back and say why.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { done, notDone } from "../../parts/toasts.tsx";
import { type Outputs, trpc } from "../../shell/trpc.ts";

type List = Outputs["listMemories"];

export function useForgetting() {
  const queries = useQueryClient();
  const lists = { queryKey: trpc.listMemories.pathKey() };
  const searches = { queryKey: trpc.searchMemories.pathKey() };

  const without = async (id: string) => {
    await Promise.all([queries.cancelQueries(lists), queries.cancelQueries(searches)]);
    const before = [...queries.getQueriesData(lists), ...queries.getQueriesData(searches)];
    queries.setQueriesData<List>(lists, (data) => data && listWithout(data, id));
    queries.setQueriesData<Outputs["searchMemories"]>(
      searches,
      (data) => data && { ...data, results: data.results.filter((one) => one.id !== id) },
    );
    return () => {
      for (const [key, data] of before) queries.setQueryData(key, data);
    };
  };

  const restore = useMutation(
    trpc.restoreMemory.mutationOptions({
      onSuccess: () => done("The memory is back in recall."),
      onError: (error) => notDone("Not restored", error),
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  const forget = useMutation(
    trpc.deleteMemory.mutationOptions({
      onMutate: ({ memory_id }) => without(memory_id),
      onSuccess: (_, { memory_id }) =>
        done("1 memory left recall. You can restore it.", () => restore.mutate({ memory_id })),
      onError: (error, _, putBack) => {
        putBack?.();
        notDone("Not forgotten", error);
      },
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  return { forget, restore };
}

function listWithout(list: List, id: string): List {
  const memories = list.memories.filter((one) => one.id !== id);
  return { ...list, memories, total: list.total - (list.memories.length - memories.length) };
}
