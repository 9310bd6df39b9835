import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { mayManage, mayWrite, type Space } from "../../shell/space.ts";
import { client, codeOf, type Outputs, trpc } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import { useForgetting } from "./forgetting.ts";
import { useIsPhone } from "./memory-list.tsx";

const Versions = lazy(() => import("./versions.tsx").then(({ Versions }) => ({ default: Versions })));
const MemoryRecalls = lazy(() =>
  import("../recall-log/of-memory.tsx").then(({ MemoryRecalls }) => ({ default: MemoryRecalls })),
);
const Relations = lazy(() => import("./relations.tsx").then(({ Relations }) => ({ default: Relations })));
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
  /** Names of agents by their ids. */
  readonly agents: ReadonlyMap<string, string>;
  readonly close: () => void;
}

type Tab = MemoriesSearch["part"];

const TABS = [
  [undefined, "Content"],
  ["history", "History"],
  ["relations", "Relations"],
  ["recall", "Recall"],
] as const;

/** One memory beside the list, in four parts, and what may be done with it. On a phone it fills the screen. */
export function MemoryPanel({
  id,
  space,
  agents,
  isForgotten,
  asOf,
  close,
  tab,
  setTab,
}: PanelProps & {
  readonly isForgotten: boolean;
  /** The moment whose content is shown. */
  readonly asOf: string | undefined;
  readonly tab: Tab;
  readonly setTab: (tab: Tab) => void;
}) {
  const { queryKey } = trpc.getMemory.queryOptions({ memory_id: id });
  const memory = useQuery<Memory>({
    queryKey: asOf === undefined ? queryKey : [...queryKey, asOf],
    queryFn: () => (asOf === undefined ? readMemory(space, id, isForgotten) : readPast(space, id, asOf)),
  });
  useEscape(close);
  const closeButton = useRef<HTMLButtonElement>(null);
  const isPhone = useIsPhone();
  // The list that had the focus is covered.
  useEffect(() => {
    if (isPhone) closeButton.current?.focus();
  }, [isPhone]);
  return (
    <section className="detail" aria-labelledby="memory-heading">
      <div className="top">
        {memory.data && <MemoryStatus status={memory.data.status} />}
        <bdi className="mono soft grow memory-id">{id}</bdi>
        <ActionIcon
          ref={closeButton}
          variant="subtle"
          size={32}
          aria-label="Close the memory"
          onClick={close}
        >
          <Icon name="close" />
        </ActionIcon>
      </div>
      <h2 id="memory-heading">
        <bdi>{memory.data ? beginningOf(memory.data.content) : "Memory"}</bdi>
      </h2>
      {memory.isPending && <Waiting what="the memory" />}
      {memory.isError && (
        <Failed what="The memory" error={memory.error} retry={() => void memory.refetch()} />
      )}
      {memory.data && <Detail memory={memory.data} {...{ space, agents, close, tab, setTab }} />}
    </section>
  );
}

const HEADING_MAX = 140;
const beginningOf = (content: string) =>
  content.length > HEADING_MAX ? `${content.slice(0, HEADING_MAX)}…` : content;

/** Escape, wherever on the page nothing else takes it. */
function useEscape(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isElsewhere = target.closest(
        "input:not([type=checkbox], [type=radio]), textarea, [role=dialog], [popover]",
      );
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

/** What has been forgotten since is not in the past either. */
async function readPast(space: Space, id: string, asOf: string): Promise<Memory> {
  const asked = { ...space.filter, memory_ids: [id], as_of: asOf, limit: 1 };
  const [memory] = (await client.listMemories.query(asked)).memories;
  if (memory === undefined) throw new Error("This memory was not there at that moment.");
  return memory;
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

function Detail({
  memory,
  space,
  agents,
  close,
  tab,
  setTab,
}: Omit<PanelProps, "id"> & {
  readonly memory: Memory;
  readonly tab: Tab;
  readonly setTab: (tab: Tab) => void;
}) {
  const [doing, setDoing] = useState<"edit" | "supersede" | null>(null);
  const finish = () => setDoing(null);
  if (doing !== null)
    return (
      <Suspense fallback={<Waiting what="the form" />}>
        {doing === "edit" ? (
          <EditForm memory={memory} finish={finish} />
        ) : (
          <SupersedeForm memory={memory} space={space} finish={finish} />
        )}
      </Suspense>
    );
  return (
    <>
      {mayWrite(space) ? (
        <Acts memory={memory} space={space} start={setDoing} close={close} />
      ) : (
        <p className="soft">{`Your role, ${space.role}, can only read here.`}</p>
      )}
      <div className="tabs" role="tablist" aria-label="Memory" onKeyDown={stepThroughTabs}>
        {TABS.map(([name, label]) => (
          <button
            key={label}
            type="button"
            role="tab"
            id={`tab-${label}`}
            aria-selected={name === tab}
            aria-controls="memory-part"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => setTab(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id="memory-part"
        aria-labelledby={`tab-${TABS.find(([name]) => name === tab)?.[1]}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel of a tab is reached by Tab
        tabIndex={0}
      >
        <Suspense fallback={<Waiting what="this part" />}>
          {tab === undefined && <Content memory={memory} />}
          {tab === "history" &&
            (memory.status === "soft_deleted" ? (
              <p className="soft">Restore the memory to see its history.</p>
            ) : (
              <Versions id={memory.id} />
            ))}
          {tab === "relations" && <Relations id={memory.id} agents={agents} />}
          {tab === "recall" && <MemoryRecalls id={memory.id} />}
        </Suspense>
      </div>
    </>
  );
}

/** Arrows, Home and End go from tab to tab. */
function stepThroughTabs(event: React.KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.indexOf(event.target as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const next = tabs[(to + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}

function Content({ memory }: { readonly memory: Memory }) {
  return (
    <>
      <p className="stored">{memory.content}</p>
      <Facts memory={memory} />
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
        Why recalled?
      </Link>
    </div>
  );
}

function Erase({ memory, close }: Pick<ActsProps, "memory" | "close">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" color="bad" onClick={() => setOpen(true)}>
        Permanently erase…
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
        <Fact name="Id">
          <span className="mono">{memory.id}</span>
        </Fact>
      </dl>
      <h3>Where it comes from</h3>
      <dl className="facts">
        {memory.source && <Fact name="Source">{memory.source}</Fact>}
        {boundary.relation !== "unattributed" && <Fact name="Boundary">{boundary.explanation}</Fact>}
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
