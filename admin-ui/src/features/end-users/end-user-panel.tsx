import { ActionIcon, Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { download } from "../../parts/download.ts";
import { ErasureDialog } from "../../parts/erasure-dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { type Space, teamOf } from "../../shell/space.ts";
import { client, type Outputs, trpc } from "../../shell/trpc.ts";
import { patiently } from "../service/transfer.ts";
import { IssueToken } from "./issue-token.tsx";

const number = new Intl.NumberFormat("en");
const memoriesIn = (count: number) => `${number.format(count)} ${count === 1 ? "memory" : "memories"}`;

interface PanelProps {
  readonly userId: string;
  readonly space: Space;
  readonly close: () => void;
}

/** One end user beside the list: the figures, the memories on request, and what may be done. */
export function EndUserPanel({ userId, space, close }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const endUser = useQuery(trpc.getEndUser.queryOptions({ user_id: userId, ...teamOf(space) }));
  return (
    <section
      className="panel beside-panel"
      aria-labelledby="end-user-heading"
      onKeyDown={(event) => event.key === "Escape" && !event.defaultPrevented && close()}
    >
      <div className="beside-top">
        <h2 id="end-user-heading" className="grow mono beside-name" tabIndex={-1} ref={heading}>
          {userId}
        </h2>
        <ActionIcon variant="default" size={36} aria-label="Close the end user" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      {endUser.isPending && <Waiting what="the end user" />}
      {endUser.isError && (
        <Failed what="The end user" error={endUser.error} retry={() => void endUser.refetch()} />
      )}
      {endUser.data && <Detail endUser={endUser.data} space={space} close={close} />}
    </section>
  );
}

interface DetailProps {
  readonly endUser: Outputs["getEndUser"];
  readonly space: Space;
  readonly close: () => void;
}

function Detail({ endUser, space, close }: DetailProps) {
  const { user_id, memories, first_seen, last_active } = endUser;
  const [isShown, setShown] = useState(false);
  return (
    <>
      <dl className="facts">
        <dt>Memories</dt>
        <dd>{number.format(memories)}</dd>
        <dt>First seen</dt>
        <dd>
          <Time at={first_seen} whole />
        </dd>
        <dt>Last active</dt>
        <dd>
          <Time at={last_active} whole />
        </dd>
      </dl>
      <p className="beside-links">
        <Link to="/$space/lab" params={{ space: space.key }} search={{ user: user_id }}>
          Ask in the lab
        </Link>
        <Link to="/$space/service/audit" params={{ space: space.key }} search={{ user: user_id }}>
          Audit log
        </Link>
      </p>
      <div className="acts">
        <IssueToken userId={user_id} space={space} />
        <Export endUser={endUser} space={space} />
        <Erase endUser={endUser} space={space} close={close} />
      </div>
      {memories > 0 && (
        <>
          <h3 className="panel-title">Memories</h3>
          {isShown ? (
            <Memories userId={user_id} space={space} />
          ) : (
            <Button variant="default" onClick={() => setShown(true)}>
              {`Show ${memoriesIn(memories)}`}
            </Button>
          )}
        </>
      )}
    </>
  );
}

const PAGE = 50;

/** The live memories, newest first. Their contents are the end user's: they are read when somebody asks for them. */
function Memories({ userId, space }: Pick<PanelProps, "userId" | "space">) {
  const list = useInfiniteQuery(
    trpc.listMemories.infiniteQueryOptions(
      { user_id: userId, application: space.teamId, limit: PAGE },
      { getNextPageParam: ({ next_cursor }) => next_cursor },
    ),
  );
  if (list.isPending) return <Waiting what="the memories" />;
  if (list.isError)
    return <Failed what="The memories" error={list.error} retry={() => void list.refetch()} />;
  const memories = list.data.pages.flatMap((page) => page.memories);
  return (
    <>
      <ul className="plain rows">
        {memories.map(({ id, content, path, created_at }) => (
          <li key={id}>
            <div className="grow">
              <p className="beside-text">
                <bdi>{content}</bdi>
              </p>
              <small className="soft">
                <bdi>{path}</bdi> · <Time at={created_at} />
              </small>
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

/** Everything of the end user, as lines that `recollect import` reads. */
async function exportedLines(userId: string, space: Space, signal: AbortSignal): Promise<string[]> {
  const parts: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Outputs["exportEndUser"] = await patiently({ signal, onWait: () => {} }, () =>
      client.exportEndUser.query({ user_id: userId, ...teamOf(space), cursor, limit: 500 }, { signal }),
    );
    parts.push(page.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    cursor = page.next_cursor;
  }
  return parts;
}

function Export({ endUser: { user_id }, space }: Pick<DetailProps, "endUser" | "space">) {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const exporting = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      const parts = await exportedLines(user_id, space, running.current.signal);
      download(`${user_id}.jsonl`, parts, "application/x-ndjson");
      done(`Everything of ${user_id} was exported.`);
    },
  });
  return (
    <>
      <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        Export
      </Button>
      {exporting.isError && <Failed what="Not exported" error={exporting.error} />}
    </>
  );
}

const COUNTED = [
  ["memories", "memories"],
  ["memory_versions", "former versions"],
  ["tokens", "tokens"],
  ["recalls", "questions of the recall log"],
] as const;

function Erase({ endUser, space, close }: DetailProps) {
  const of = { user_id: endUser.user_id, ...teamOf(space) };
  const queries = useQueryClient();
  const look = useMutation(trpc.eraseEndUser.mutationOptions());
  const erase = useMutation(trpc.eraseEndUser.mutationOptions());
  const plan = look.data;
  const count = plan?.would_remove?.memories ?? 0;
  const leave = () => {
    close();
    void queries.invalidateQueries({ queryKey: trpc.listEndUsers.pathKey() });
  };
  return (
    <>
      <Button variant="outline" color="bad" loading={look.isPending} onClick={() => look.mutate(of)}>
        Erase…
      </Button>
      {look.isError && <Failed what="Not counted" error={look.error} />}
      {plan && (
        <ErasureDialog
          plan={plan}
          title={`Permanently erase ${endUser.user_id}?`}
          warning="The tokens of this end user end at once. A receipt without content is kept."
          counted={COUNTED.filter(([table]) => (plan.would_remove?.[table] ?? 0) > 0)}
          label="Type the id of the end user to erase it"
          verb={`Erase ${memoriesIn(count)}`}
          erase={erase}
          confirm={() => erase.mutate({ ...of, dry_run: false, plan_hash: plan.plan_hash ?? null })}
          begun={`${endUser.user_id} is gone from every list and recall. The service removes what is left, even across restarts. Keep this address: it shows the receipt, without a name and without signing in.`}
          close={look.reset}
          leave={leave}
        />
      )}
    </>
  );
}
