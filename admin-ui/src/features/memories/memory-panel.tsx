import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { mayManage, mayWrite, type Space } from "../../shell/space.ts";
import { client, codeOf, type Outputs, trpc } from "../../shell/trpc.ts";
import { MemoryRecalls } from "../recall-log/of-memory.tsx";
import { useForgetting } from "./forgetting.ts";

const Versions = lazy(() => import("./versions.tsx").then(({ Versions }) => ({ default: Versions })));

const EraseDialog = lazy(() => import("./erase.tsx").then(({ EraseDialog }) => ({ default: EraseDialog })));
const EditForm = lazy(() => import("./edit.tsx").then(({ EditForm }) => ({ default: EditForm })));
const SupersedeForm = lazy(() =>
  import("./supersede.tsx").then(({ SupersedeForm }) => ({ default: SupersedeForm })),
);

/** What was forgotten is known from the list alone, which has no etag. */
export type Memory = Omit<Outputs["getMemory"], "etag"> & { readonly etag?: string };

interface PanelProps {
  readonly id: string;
  readonly space: Space;
  readonly close: () => void;
}

/** One memory beside the list: what it says, where it comes from, what it was before, and what may be done with it. */
export function MemoryPanel({
  id,
  space,
  isForgotten,
  close,
}: PanelProps & { readonly isForgotten: boolean }) {
  const { queryKey } = trpc.getMemory.queryOptions({ memory_id: id });
  const memory = useQuery<Memory>({ queryKey, queryFn: () => readMemory(space, id, isForgotten) });
  return (
    <section
      className="panel detail"
      aria-labelledby="memory-heading"
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <div className="top">
        <h2 className="grow" id="memory-heading">
          Memory
        </h2>
        {memory.data && <MemoryStatus status={memory.data.status} />}
        <ActionIcon variant="default" size={36} aria-label="Close the memory" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      {memory.isPending && <Waiting what="the memory" />}
      {memory.isError && (
        <Failed what="The memory" error={memory.error} retry={() => void memory.refetch()} />
      )}
      {memory.data && <Detail memory={memory.data} space={space} close={close} />}
    </section>
  );
}

/** What was forgotten is no memory that can be read by its id: the list of those has it. */
async function readMemory(space: Space, id: string, isForgotten: boolean): Promise<Memory> {
  const forgotten = async () => {
    const filter = { ...space.filter, memory_ids: [id], status: "soft_deleted" };
    return (await client.listMemories.query({ ...filter, limit: 1 })).memories[0];
  };
  const found = isForgotten ? await forgotten() : undefined;
  if (found) return found;
  try {
    return await client.getMemory.query({ memory_id: id });
  } catch (error) {
    const now = codeOf(error) === "not_found" ? await forgotten() : undefined;
    if (now === undefined) throw error;
    return now;
  }
}

function Detail({ memory, space, close }: { readonly memory: Memory } & Pick<PanelProps, "space" | "close">) {
  const [doing, setDoing] = useState<"edit" | "supersede" | null>(null);
  const finish = () => setDoing(null);
  return (
    <>
      {doing === "edit" && (
        <Suspense fallback={<Waiting what="the form" />}>
          <EditForm memory={memory} finish={finish} />
        </Suspense>
      )}
      {doing === "supersede" && (
        <Suspense fallback={<Waiting what="the form" />}>
          <SupersedeForm memory={memory} space={space} finish={finish} />
        </Suspense>
      )}
      {doing === null && (
        <>
          <p className="stored">{memory.content}</p>
          {mayWrite(space) ? (
            <Acts memory={memory} space={space} start={setDoing} close={close} />
          ) : (
            <p className="soft">{`Your role, ${space.role}, can only read here.`}</p>
          )}
        </>
      )}
      <Facts memory={memory} />
      {memory.status !== "soft_deleted" && (
        <Suspense fallback={<Waiting what="the history" />}>
          <Versions id={memory.id} />
        </Suspense>
      )}
    </>
  );
}

interface ActsProps extends Pick<PanelProps, "space" | "close"> {
  readonly memory: Memory;
  readonly start: (what: "edit" | "supersede") => void;
}

/** What may be done with it, as it stands. What nothing brings back is the last, and asked for twice. */
function Acts({ memory, space, start, close }: ActsProps) {
  const { forget, restore } = useForgetting();
  const { status } = memory;
  const isLive = status !== "soft_deleted" && status !== "redacted";
  return (
    <div className="acts">
      {status === "soft_deleted" && (
        <Button
          leftSection={<Icon name="restore" size={16} />}
          loading={restore.isPending}
          onClick={() => restore.mutate({ memory_id: memory.id })}
        >
          Restore this memory
        </Button>
      )}
      {isLive && (
        <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => start("edit")}>
          Edit
        </Button>
      )}
      {isLive && status !== "superseded" && memory.semantic_key !== null && (
        <Button
          variant="default"
          leftSection={<Icon name="replaced" size={16} />}
          onClick={() => start("supersede")}
        >
          Supersede
        </Button>
      )}
      {isLive && (
        <Button
          variant="outline"
          color="bad"
          leftSection={<Icon name="trash" size={16} />}
          onClick={() => {
            forget.mutate({ memory_id: memory.id, mode: "soft_delete" });
            close();
          }}
        >
          Forget this memory
        </Button>
      )}
      {mayManage(space) && <Erase memory={memory} close={close} />}
      <Link className="why-link" to="/$space/lab" params={{ space: space.key }} search={{ why: memory.id }}>
        Why is it recalled, or not?
      </Link>
    </div>
  );
}

function Erase({ memory, close }: Pick<ActsProps, "memory" | "close">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" color="bad" onClick={() => setOpen(true)}>
        Remove for good…
      </Button>
      {isOpen && (
        <Suspense>
          <EraseDialog memory={memory} close={() => setOpen(false)} gone={close} />
        </Suspense>
      )}
    </>
  );
}

function Facts({ memory }: { readonly memory: Memory }) {
  const { provenance, metadata, boundary } = memory;
  return (
    <>
      <h3>What it is</h3>
      <dl className="facts">
        <Fact name="Path">{memory.path}</Fact>
        <Fact name="Type">{memory.memory_type}</Fact>
        <Fact name="Bucket">{memory.bucket}</Fact>
        {memory.semantic_key && <Fact name="Fact">{memory.semantic_key}</Fact>}
        <Fact name="Importance">{memory.importance.toFixed(2)}</Fact>
        <Fact name="Confidence">{memory.confidence.toFixed(2)}</Fact>
        <Fact name="Stored">
          <Time at={memory.created_at} whole />
        </Fact>
        <Fact name="Changed">
          <Time at={memory.updated_at} whole />
        </Fact>
        {memory.expires_at && (
          <Fact name="Expires">
            <Time at={memory.expires_at} whole />
          </Fact>
        )}
        <Fact name="Recalls">
          <MemoryRecalls id={memory.id} />
        </Fact>
        <Fact name="Id">
          <span className="mono">{memory.id}</span>
        </Fact>
      </dl>
      <h3>Where it comes from</h3>
      <dl className="facts">
        <Fact name="Source">{memory.source ?? "not said"}</Fact>
        <Fact name="Boundary">{boundary.explanation}</Fact>
        <Members of={provenance} />
      </dl>
      {Object.keys(metadata).length > 0 && (
        <>
          <h3>Metadata</h3>
          <dl className="facts">
            <Members of={metadata} />
          </dl>
        </>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  );
}

function Members({ of }: { readonly of: Record<string, unknown> }) {
  return Object.entries(of).map(([name, value]) => (
    <Fact key={name} name={name.replaceAll("_", " ")}>
      {typeof value === "string" ? value : JSON.stringify(value)}
    </Fact>
  ));
}
