import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";

const LIMIT = 1000;

type Memory = Outputs["listMemories"]["memories"][number];
type Reminder = Memory & { readonly dueAt: string | null };

/** What is due, and when? */
export function RemindersPage() {
  const space = useSpace();
  const list = useQuery(
    trpc.listMemories.queryOptions({ ...space.filter, memory_type: "reminder", limit: LIMIT }),
  );
  const queries = useQueryClient();
  const complete = useMutation(
    trpc.completeReminder.mutationOptions({
      onSuccess: ({ next_due_at }) =>
        done(next_due_at ? "Completed. It recurs, so it will be due again." : "The reminder is completed."),
      onError: (error) => notDone("Not completed", error),
      onSettled: () => queries.invalidateQueries(),
    }),
  );
  const reminders = (list.data?.memories ?? []).map(asReminder).sort(byUrgency);
  const total = list.data?.total ?? 0;
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Reminders</h1>
          <p>Due soonest first</p>
        </div>
      </div>
      {list.isPending && <Waiting what="the reminders" />}
      {list.isError && <Failed what="The reminders" error={list.error} retry={() => void list.refetch()} />}
      {list.data && reminders.length === 0 && (
        <Empty title="No reminders yet">
          An agent creates one by remembering something with the type reminder and metadata.due_at.
        </Empty>
      )}
      {reminders.length > 0 && (
        <>
          {total > LIMIT && <p className="soft">{`The newest ${LIMIT} of ${total}`}</p>}
          <Table
            label="Reminders"
            columns={columnsFor(space, {
              isBusy: complete.isPending,
              complete: (id) => complete.mutate({ reminder_id: id }),
            })}
            items={reminders}
            keyOf={({ id }) => id}
            total={reminders.length}
          />
        </>
      )}
    </>
  );
}

function asReminder(memory: Memory): Reminder {
  const { due_at } = memory.metadata;
  return { ...memory, dueAt: typeof due_at === "string" ? due_at : null };
}

const isDone = ({ status }: Reminder) => status === "completed";
const isOverdue = (one: Reminder) => !isDone(one) && one.dueAt !== null && Date.parse(one.dueAt) < Date.now();

function byUrgency(a: Reminder, b: Reminder): number {
  const due = ({ dueAt }: Reminder) => (dueAt === null ? Number.MAX_VALUE : Date.parse(dueAt));
  return Number(isDone(a)) - Number(isDone(b)) || due(a) - due(b);
}

interface Completion {
  readonly isBusy: boolean;
  readonly complete: (id: string) => void;
}

const columnsFor = (space: Space, { isBusy, complete }: Completion): readonly Column<Reminder>[] => [
  {
    label: "Due",
    width: "104px",
    narrowWidth: "72px",
    cell: ({ dueAt }) => (dueAt === null ? <span className="soft">No date</span> : <Time at={dueAt} />),
  },
  {
    label: "Reminder",
    width: "minmax(0, 1fr)",
    cell: ({ id, content }) => (
      <Link to="/$space/memories" params={{ space: space.key }} search={{ type: "reminder", id }}>
        <bdi>{content.slice(0, 240)}</bdi>
      </Link>
    ),
  },
  {
    label: "Status",
    width: "112px",
    isWide: true,
    cell: (one) =>
      isDone(one) ? (
        <Status tone="soft" icon="good" word="Completed" />
      ) : isOverdue(one) ? (
        <Status tone="warn" icon="clock" word="Overdue" />
      ) : (
        <Status tone="good" icon="clock" word="Upcoming" />
      ),
  },
  ...(mayWrite(space)
    ? [
        {
          label: "Complete",
          width: "104px",
          narrowWidth: "100px",
          cell: (one: Reminder) =>
            isDone(one) ? null : (
              <Button
                size="compact-sm"
                variant="default"
                disabled={isBusy}
                aria-label={`Complete: ${one.content.slice(0, 80)}`}
                onClick={() => complete(one.id)}
              >
                Complete
              </Button>
            ),
        },
      ]
    : []),
];
