/** What maintenance would do, why, and doing exactly the chosen part of it. */
import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "../../parts/toasts.tsx";
import { mayManage, type Space } from "../../shell/space.ts";
import { client, codeOf, type Outputs, trpc } from "../../shell/trpc.ts";
import { StillGoing } from "./runs.tsx";
import { type Action, memories, number, WORDS } from "./words.ts";

const Compared = lazy(() =>
  import("../../parts/compared.tsx").then(({ Compared }) => ({ default: Compared })),
);

type Plan = Outputs["reportMaintenance"];
type Item = Plan["actions"][number]["items"][number];

/** What one run takes at most, as the contract has it. */
const ACTIONS_MAX = 4;
const NAMED_MAX = 500;
const SCANNED = [1000, 5000] as const;

interface PlanPanelProps {
  readonly project: string;
  readonly space: Space;
  readonly onRun: (isRunning: boolean) => void;
}

/** What of a plan is chosen: some of its actions, and of these all but some memories. */
interface Choice {
  readonly actions: ReadonlySet<Action>;
  readonly without: ReadonlySet<string>;
}

/** A plan stays as it was read until it is asked for anew: what is chosen in it is what is done, or nothing. */
export function PlanPanel({ project, space, onRun }: PlanPanelProps) {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [former, setFormer] = useState<Plan | null>(null);
  const [choice, setChoice] = useState<Choice>({ actions: new Set(), without: new Set() });
  const look = useMutation({
    mutationFn: (scan_limit: number) =>
      client.reportMaintenance.query({ project_id: project, team_id: space.teamId, scan_limit }),
    onSuccess(next) {
      setPlan(next);
      setChoice(former === null ? usual(next) : choiceKept(choice, former, next));
    },
  });
  const { mutate } = look;
  useEffect(() => mutate(SCANNED[0]), [mutate]);
  const lookAnew = (scan = plan?.scan_limit ?? SCANNED[0]) => {
    setFormer(null);
    look.mutate(scan);
  };
  return (
    <section className="panel" aria-labelledby="plan" aria-busy={look.isPending}>
      <div className="top">
        <h2 className="panel-title grow" id="plan">
          What is due
        </h2>
        {plan && (
          <span className="soft">
            {"as of "}
            <Time at={plan.generated_at} />
          </span>
        )}
        <Button size="xs" variant="default" loading={look.isPending} onClick={() => lookAnew()}>
          Check again
        </Button>
      </div>
      {look.isError && <Failed what="The report" error={look.error} retry={() => lookAnew()} />}
      {plan === null && !look.isError && <Waiting what="the report" />}
      {plan && former && <Difference former={former} plan={plan} />}
      {plan && (
        <>
          <Scanned plan={plan} lookAt={lookAnew} />
          <Items plan={plan} space={space} choice={choice} setChoice={setChoice} />
          <Carry
            plan={plan}
            choice={choice}
            space={space}
            onRun={onRun}
            onDone={() => lookAnew()}
            onChanged={() => {
              setFormer(plan);
              look.mutate(plan.scan_limit);
            }}
          />
        </>
      )}
    </section>
  );
}

const keyOf = (action: Action, { id, into }: Item) => `${action} ${id} ${into ?? ""}`;
const keysOf = ({ actions }: Plan) =>
  new Set(actions.flatMap(({ action, items }) => items.map((item) => keyOf(action, item))));

/** At first all that an undo can take back; what does not return has to be chosen. */
function usual({ actions }: Plan): Choice {
  const due = actions.filter(({ action, matched }) => matched > 0 && WORDS[action].returns === "undo");
  return { actions: new Set(due.map(({ action }) => action)), without: new Set() };
}

/** What was chosen stays so; what nobody has looked at yet is not. */
function choiceKept(choice: Choice, former: Plan, plan: Plan): Choice {
  const known = keysOf(former);
  const fresh = plan.actions.flatMap(({ action, items }) =>
    items.filter((item) => !known.has(keyOf(action, item))).map(({ id }) => id),
  );
  return { ...choice, without: new Set([...choice.without, ...fresh]) };
}

function Difference({ former, plan }: { readonly former: Plan; readonly plan: Plan }) {
  const [before, now] = [keysOf(former), keysOf(plan)];
  const fresh = [...now].filter((key) => !before.has(key)).length;
  const gone = [...before].filter((key) => !now.has(key)).length;
  const parts = [
    ...(gone > 0 ? [`${number.format(gone)} no longer due`] : []),
    ...(fresh > 0 ? [`${number.format(fresh)} newly due, not chosen yet`] : []),
  ];
  return (
    <div className="note" data-tone="warn" role="alert">
      <Icon name="warn" />
      <p>
        <strong>The plan has changed since you looked. Nothing was done.</strong>{" "}
        {parts.length > 0
          ? `${parts.join("; ")}.`
          : "The same memories are due, but one of them has changed."}{" "}
        Check it, then carry it out.
      </p>
    </div>
  );
}

function Scanned({ plan, lookAt }: { readonly plan: Plan; readonly lookAt: (limit: number) => void }) {
  const [, most] = SCANNED;
  return (
    <p className="soft said">
      {`${memories(plan.scanned)} looked at`}
      {plan.truncated && (
        <>
          {", those most likely to be due; there are more. "}
          {plan.scan_limit < most && (
            <Button size="compact-xs" variant="default" onClick={() => lookAt(most)}>
              {`Look at ${number.format(most)}`}
            </Button>
          )}
        </>
      )}
      {plan.notes.map((note) => ` · ${note}`)}
    </p>
  );
}

interface ItemsProps {
  readonly plan: Plan;
  readonly space: Space;
  readonly choice: Choice;
  readonly setChoice: (choice: Choice) => void;
}

function Items({ plan, space, choice, setChoice }: ItemsProps) {
  const due = plan.actions.filter(({ matched }) => matched > 0);
  if (due.length === 0)
    return (
      <Empty title="Nothing is due">
        No memory of this project is expired, stale, a duplicate, long forgotten or behind in the index.
      </Empty>
    );
  const toggled = <T,>(set: ReadonlySet<T>, one: T) => {
    const next = new Set(set);
    if (!next.delete(one)) next.add(one);
    return next;
  };
  return due.map(({ action, items }) => (
    <ActionItems
      key={action}
      action={action}
      items={items}
      project={plan.project_id}
      space={space}
      choice={choice}
      toggleAction={() => setChoice({ ...choice, actions: toggled(choice.actions, action) })}
      toggleItem={(id) => setChoice({ ...choice, without: toggled(choice.without, id) })}
    />
  ));
}

const SHOWN = 10;

interface ActionItemsProps {
  readonly action: Action;
  readonly items: readonly Item[];
  readonly project: string;
  readonly space: Space;
  readonly choice: Choice;
  readonly toggleAction: () => void;
  readonly toggleItem: (id: string) => void;
}

function ActionItems({ action, items, project, space, choice, toggleAction, toggleItem }: ActionItemsProps) {
  const [shown, setShown] = useState(SHOWN);
  const { title, hint, returns } = WORDS[action];
  const isOn = choice.actions.has(action);
  const chosen = isOn ? items.filter(({ id }) => !choice.without.has(id)).length : 0;
  const isLocked = !mayManage(space);
  const visible = items.slice(0, shown);
  const isForgotten = action === "purge_deleted";
  const kept = useTexts(isForgotten ? [] : visible);
  const forgotten = useForgottenTexts(project, space, isForgotten);
  const texts = isForgotten ? forgotten : kept;
  return (
    <fieldset className="due">
      <legend>
        <Checkbox
          checked={isOn && chosen === items.length}
          indeterminate={chosen > 0 && chosen < items.length}
          disabled={isLocked}
          onChange={toggleAction}
          label={`${title}: ${number.format(chosen)} of ${number.format(items.length)}`}
          description={`${hint}. ${RETURNS[returns]}`}
        />
      </legend>
      <ul className="plain rows">
        {visible.map((item) => (
          <li key={item.id}>
            <Checkbox
              aria-label={`${title}: ${item.id}`}
              checked={isOn && !choice.without.has(item.id)}
              disabled={isLocked || !isOn}
              onChange={() => toggleItem(item.id)}
            />
            <div className="grow">
              <ItemText item={item} texts={texts} space={space} isForgotten={isForgotten} />
              <p className="soft said">{item.reason}</p>
            </div>
          </li>
        ))}
      </ul>
      {items.length > shown && (
        <Button size="xs" variant="default" onClick={() => setShown(shown + SHOWN)}>
          {`Show ${Math.min(SHOWN, items.length - shown)} more of ${number.format(items.length - shown)}`}
        </Button>
      )}
    </fieldset>
  );
}

const RETURNS = {
  undo: "A run can be undone",
  never: "Erased memories cannot be restored",
  unneeded: "The memories do not change",
} as const;

type Texts = ReadonlyMap<string, string | undefined>;

/** What the memories of these items say, those that stay included; undefined while it is not known. */
function useTexts(items: readonly Item[]): Texts {
  const ids = [...new Set(items.flatMap(({ id, into }) => (into === undefined ? [id] : [id, into])))];
  return useQueries({
    queries: ids.map((memory_id) => trpc.getMemory.queryOptions({ memory_id }, { staleTime: 60_000 })),
    combine: (found) => new Map(ids.map((id, at) => [id, found[at]?.data?.content])),
  });
}

/** The same of what was forgotten, which is read by the list alone; of the newest, as far as it has them. */
function useForgottenTexts(project: string, space: Space, isNeeded: boolean): Texts {
  const forgotten = useQuery(
    trpc.listMemories.queryOptions(
      { ...space.filter, project_id: project, status: "soft_deleted", limit: 500 },
      { enabled: isNeeded },
    ),
  );
  return new Map(forgotten.data?.memories.map(({ id, content }) => [id, content]));
}

function ItemText(props: {
  readonly item: Item;
  readonly texts: Texts;
  readonly space: Space;
  readonly isForgotten: boolean;
}) {
  const { item, texts, space, isForgotten } = props;
  const [text, stays] = [texts.get(item.id), item.into === undefined ? undefined : texts.get(item.into)];
  return (
    <>
      <Link
        className="stored excerpt"
        to="/$space/memories"
        params={{ space: space.key }}
        search={isForgotten ? { status: "soft_deleted" } : { id: item.id }}
      >
        <bdi>{text ?? item.id}</bdi>
      </Link>
      {item.into !== undefined && (
        <p className="stays">
          <Icon name="replaced" size={16} />
          <span>
            <span className="soft">Stays: </span>
            <span className="stored">
              {text === undefined || stays === undefined ? (
                item.into
              ) : (
                <Suspense fallback={stays}>
                  <Compared text={stays} before={text} />
                </Suspense>
              )}
            </span>
          </span>
        </p>
      )}
    </>
  );
}

interface CarryProps {
  readonly plan: Plan;
  readonly choice: Choice;
  readonly space: Space;
  readonly onRun: (isRunning: boolean) => void;
  readonly onDone: () => void;
  readonly onChanged: () => void;
}

/** The one button of the page, and what is said before anything is done. */
function Carry({ plan, choice, space, onRun, onDone, onChanged }: CarryProps) {
  const [isAsking, setAsking] = useState(false);
  const chosen = chosenOf(plan, choice);
  const count = chosen.reduce((sum, { ids }) => sum + ids.length, 0);
  if (!mayManage(space))
    return (
      <p className="soft">{`Your role, ${space.role}, can only read here; owners and admins run maintenance.`}</p>
    );
  if (plan.actions.every(({ matched }) => matched === 0)) return null;
  const hindrance = hindranceOf(plan, chosen);
  return (
    <>
      <div className="acts">
        <Button disabled={count === 0 || hindrance !== null} onClick={() => setAsking(true)}>
          {count === 0 ? "Nothing is chosen" : `Carry out ${number.format(count)} of this plan`}
        </Button>
      </div>
      {hindrance !== null && <p role="status">{hindrance}</p>}
      {isAsking && (
        <CarryOut
          plan={plan}
          chosen={chosen}
          count={count}
          close={() => setAsking(false)}
          onRun={onRun}
          onDone={onDone}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

interface Chosen {
  readonly action: Action;
  readonly ids: readonly string[];
}

function chosenOf({ actions }: Plan, choice: Choice): Chosen[] {
  return actions
    .filter(({ action }) => choice.actions.has(action))
    .map(({ action, items }) => ({
      action,
      ids: items.map(({ id }) => id).filter((id) => !choice.without.has(id)),
    }))
    .filter(({ ids }) => ids.length > 0);
}

/** The ids that narrow the plan; none where whole actions are chosen. */
function namedOf({ actions }: Plan, chosen: readonly Chosen[]): readonly string[] | null {
  const isWhole = chosen.every(
    ({ action, ids }) => actions.find((one) => one.action === action)?.items.length === ids.length,
  );
  return isWhole ? null : [...new Set(chosen.flatMap(({ ids }) => ids))];
}

function hindranceOf(plan: Plan, chosen: readonly Chosen[]): string | null {
  if (chosen.length > ACTIONS_MAX) return `A run does at most ${ACTIONS_MAX} kinds of work: choose fewer.`;
  if ((namedOf(plan, chosen)?.length ?? 0) > NAMED_MAX)
    return `Choose the whole plan, or at most ${NAMED_MAX} items one by one.`;
  return null;
}

interface CarryOutProps extends Pick<CarryProps, "plan" | "onRun" | "onDone" | "onChanged"> {
  readonly chosen: readonly Chosen[];
  readonly count: number;
  readonly close: () => void;
}

function CarryOut({ plan, chosen, count, close, onRun, onDone, onChanged }: CarryOutProps) {
  const [typed, setTyped] = useState("");
  const queries = useQueryClient();
  const erased = chosen.find(({ action }) => WORDS[action].returns === "never")?.ids.length ?? 0;
  const execute = useMutation(
    trpc.executeMaintenance.mutationOptions({
      onMutate: () => onRun(true),
      onSuccess({ actions }) {
        const left = actions.reduce((sum, { skipped, failed }) => sum + skipped.length + failed.length, 0);
        const did = actions.map(({ action, changed }) => WORDS[action].did(changed)).join(", ");
        done(
          left === 0 ? `${did}.` : `${did}; ${number.format(left)} left as they were. The history says why.`,
        );
        close();
        onDone();
      },
      onError(error) {
        if (codeOf(error) !== "plan_changed") return;
        close();
        onChanged();
      },
      async onSettled() {
        onRun(false);
        await queries.invalidateQueries();
      },
    }),
  );
  const named = namedOf(plan, chosen);
  const isConfirmed = erased === 0 || typed.trim() === String(erased);
  return (
    <Modal
      opened
      onClose={close}
      title={`Carry out ${number.format(count)} of this plan?`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <ul>
        {chosen.map(({ action, ids }) => (
          <li key={action}>{WORDS[action].does(ids.length)}</li>
        ))}
      </ul>
      <p>
        {erased === 0
          ? "You can undo all of it from the history. If anything has changed since you looked, nothing is done."
          : "Erased memories cannot be restored. If anything has changed since you looked, nothing is done."}
      </p>
      {erased > 0 && (
        <TextInput
          label={`Type ${erased} to erase ${memories(erased)} for good`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {execute.isError &&
        (codeOf(execute.error) === "unreachable" ? (
          <StillGoing />
        ) : (
          <Failed what="Not carried out" error={execute.error} />
        ))}
      <div className="acts">
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
        <Button
          color={erased > 0 ? "bad" : "accent"}
          disabled={!isConfirmed}
          loading={execute.isPending}
          onClick={() =>
            execute.mutate({
              project_id: plan.project_id,
              team_id: plan.team_id,
              actions: chosen.map(({ action }) => action),
              plan_hash: plan.plan_hash,
              only: named === null ? null : [...named],
            })
          }
        >
          {erased > 0
            ? `Erase ${memories(erased)}${erased < count ? " and do the rest" : ""}`
            : "Carry it out"}
        </Button>
      </div>
    </Modal>
  );
}
