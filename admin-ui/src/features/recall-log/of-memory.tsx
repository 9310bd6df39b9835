import { useQuery } from "@tanstack/react-query";
import { Time } from "../../parts/time.tsx";
import { trpc } from "../../shell/trpc.ts";

/** How often a memory came in recalls, in a few words. */
export function MemoryRecalls({ id }: { readonly id: string }) {
  const { data } = useQuery(trpc.memoryRecalls.queryOptions({ memory_ids: [id] }));
  if (data === undefined) return <>–</>;
  if (data.kept_days === 0) return <>Unknown: the recall log is off</>;
  const [counted] = data.memories;
  const days = data.kept_days === 1 ? "the last day" : `the last ${data.kept_days} days`;
  if (counted === undefined) return <>{`In none of ${days}`}</>;
  return (
    <>
      {`In ${counted.recalls} ${counted.recalls === 1 ? "recall" : "recalls"} of ${days}, last `}
      <Time at={counted.last_at} />
    </>
  );
}
