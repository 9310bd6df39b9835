/** Evaluation sets: which there are, and the figures of one with the settings of A and of B. */
import { ActionIcon, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { mean, scoresOf } from "../../../../src/contract/eval-scores.ts";
import { Confirmed } from "../../parts/confirmed.tsx";
import { download } from "../../parts/download.ts";
import { Icon } from "../../parts/icons.tsx";
import { Progress } from "../../parts/progress.tsx";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { mayWrite, type Space, useSpace } from "../../shell/space.ts";
import { client, type Outputs, trpc } from "../../shell/trpc.ts";
import {
  addressOfA,
  addressOfB,
  type Credential,
  nameOf,
  requestOf,
  type Side,
  sideA,
  sideB,
} from "./asking.ts";

const FROM = "/$space/lab";

type Question = Outputs["getEvalSet"]["questions"][number];
type Scores = ReturnType<typeof scoresOf>;
/** Scores of each question, by its id. */
type Ran = ReadonlyMap<string, Scores>;

export function EvalSets() {
  const space = useSpace();
  const { set } = useSearch({ from: FROM });
  const asked = useQuery(trpc.listEvalSets.queryOptions({ team_id: space.teamId }));
  if (asked.isPending) return <Waiting what="the evaluation sets" />;
  if (asked.isError)
    return <Failed what="The evaluation sets" error={asked.error} retry={() => void asked.refetch()} />;
  const { sets } = asked.data;
  if (sets.length === 0)
    return (
      <Empty title="No evaluation sets yet">
        Ask something under Questions, mark the good hits, and add the questions to a set. Then run it with
        two settings, and keep the better.
      </Empty>
    );
  const open = sets.find(({ name }) => name === set) ?? sets[0];
  return (
    <>
      <table className="lab-table">
        <caption className="unseen">Evaluation sets, by name</caption>
        <thead>
          <tr>
            <th scope="col">Set</th>
            <th scope="col" className="right">
              Questions
            </th>
            <th scope="col" className="right">
              Last changed
            </th>
          </tr>
        </thead>
        <tbody>
          {sets.map(({ name, questions, updated_at }) => (
            <tr key={name} data-open={name === open?.name || undefined}>
              <td>
                <Link
                  to={FROM}
                  params={{ space: space.key }}
                  search={(before) => ({ ...before, set: name })}
                  aria-current={name === open?.name ? "true" : undefined}
                >
                  <bdi>{name}</bdi>
                </Link>
              </td>
              <td className="right">{questions}</td>
              <td className="right">
                <Time at={updated_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open && <OpenSet key={open.name} name={open.name} space={space} />}
    </>
  );
}

function OpenSet({ name, space }: { readonly name: string; readonly space: Space }) {
  const search = useSearch({ from: FROM });
  const asked = useQuery(trpc.getEvalSet.queryOptions({ name, team_id: space.teamId }));
  const credentials = useQuery(trpc.labCredentials.queryOptions({}));
  const [isRemoving, setRemoving] = useState(false);
  if (asked.isPending) return <Waiting what="the questions" />;
  if (asked.isError)
    return <Failed what="The questions" error={asked.error} retry={() => void asked.refetch()} />;
  const { questions } = asked.data;
  const isCompared = search.compare === "yes";
  const [a, b] = [sideA(search), sideB(search)];
  const sides = isCompared ? [a, b] : [a];
  const save = () =>
    download(
      `${name}.jsonl`,
      questions.map(({ asked: one, relevant, stale }) => `${JSON.stringify({ ...one, relevant, stale })}\n`),
      "application/jsonl",
    );
  return (
    <section aria-labelledby="set-heading" className="eval-set">
      <div className="acts">
        <h2 id="set-heading" className="grow">
          <bdi>{name}</bdi>
        </h2>
        <Button variant="default" onClick={save}>
          Save for recollect eval
        </Button>
        {mayWrite(space) && (
          <Button variant="default" onClick={() => setRemoving(true)}>
            Delete this set
          </Button>
        )}
      </div>
      {sides.map((side, at) => (
        <p key={at === 0 ? "A" : "B"}>
          <b>{at === 0 ? "A" : "B"}</b>
          {`: ${settingsOf(side, credentials.data?.credentials ?? [])}`}
        </p>
      ))}
      <p className="soft">
        {isCompared
          ? "Change them under Questions."
          : "Choose Compare two under Questions to run it with the settings of B as well."}
      </p>
      <Runs
        key={JSON.stringify([
          questions.map(({ id }) => id),
          a.as,
          b.as,
          sides.map((side) => requestOf(side, space)),
        ])}
        questions={questions}
        sides={sides}
        space={space}
        name={name}
      />
      {isRemoving && (
        <RemoveSet name={name} count={questions.length} space={space} close={() => setRemoving(false)} />
      )}
    </section>
  );
}

/** A side's settings in a sentence. */
function settingsOf(side: Side, credentials: readonly Credential[]): string {
  const by = credentials.find(({ token_id }) => token_id === side.as);
  const named = (what: string, value: string) => (value === "" ? [] : [`${what} ${value}`]);
  return [
    `${side.items} items`,
    `${side.tokens} tokens`,
    side.user === "" ? `as ${by ? nameOf(by) : "you"}` : `in the space of ${side.user}`,
    ...named("path", side.path),
    ...named("type", side.type),
    ...named("project", side.project),
    ...named("session", side.session),
    ...(side.isHere ? ["only this workspace"] : []),
    ...(side.hasKnowledge ? ["with knowledge"] : []),
  ].join(" · ");
}

interface RunsProps {
  readonly questions: readonly Question[];
  readonly sides: readonly Side[];
  readonly space: Space;
  readonly name: string;
}

function Runs({ questions, sides, space, name }: RunsProps) {
  const [ran, setRan] = useState<readonly Ran[] | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const total = questions.length * sides.length;
  const run = async () => {
    setProgress(0);
    const results = sides.map(() => new Map<string, Scores>());
    try {
      for (const [at, question] of questions.entries())
        for (const [side, settings] of sides.entries()) {
          const scores = await ask(question, settings, space);
          if (stopped.current) return;
          results[side]?.set(question.id, scores);
          setProgress(at * sides.length + side + 1);
        }
      setRan(results);
    } catch (error) {
      notDone("The set was not run to its end", error);
    } finally {
      setProgress(null);
    }
  };
  return (
    <>
      <div className="acts">
        <Button loading={progress !== null} onClick={() => void run()}>
          {sides.length === 2 ? "Run A and B" : "Run A"}
        </Button>
        {progress !== null && <Progress label="Questions asked" done={progress} of={total} />}
      </div>
      {ran && <Outcome ran={ran} questions={questions} sides={sides} />}
      <QuestionRows ran={ran} questions={questions} space={space} name={name} />
    </>
  );
}

async function ask({ asked, relevant, stale }: Question, side: Side, space: Space): Promise<Scores> {
  const request = { ...requestOf(side, space), ...(asked as { query: string }) };
  const { hits } = await client.labRecall.query(request);
  const packed = hits.filter(({ place }) => place !== null).map(({ id }) => id);
  return scoresOf({ relevant, stale, found: hits.map(({ id }) => id), packed, leaked: [] });
}

const FIGURES = [
  ["Relevant in the first 5", "recall_at_5"],
  ["Relevant in the first 10", "recall_at_10"],
  ["Place of the first (MRR)", "reciprocal_rank"],
  ["Relevant in the context", "pack_share"],
] as const satisfies readonly (readonly [string, keyof Scores])[];

function Outcome({
  ran,
  questions,
  sides,
}: Pick<RunsProps, "questions" | "sides"> & { readonly ran: readonly Ran[] }) {
  const navigate = useNavigate({ from: FROM });
  const [a, b] = sides;
  const figure = (of: Ran, name: keyof Scores) =>
    mean(questions.flatMap(({ id }) => of.get(id)?.[name] ?? [])) ?? 0;
  const keep = (side: Side, which: string) => {
    void navigate({
      search: (before) => ({
        ...before,
        ...addressOfB(side, side),
        ...addressOfA(side),
        q: before.q,
        compare: undefined,
      }),
    });
    done(`The settings of ${which} are those of A now.`);
  };
  return (
    <>
      <table className="lab-table" aria-live="polite">
        <caption className="unseen">Figures, from 0 to 1: higher is better</caption>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {ran.map((_, at) => (
              <th key={at === 0 ? "A" : "B"} scope="col" className="right">
                {at === 0 ? "A" : "B"}
              </th>
            ))}
            {ran.length === 2 && (
              <th scope="col" className="right">
                Change
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {FIGURES.map(([label, name]) => {
            const values = ran.map((one) => figure(one, name));
            return (
              <tr key={name}>
                <td>{label}</td>
                {values.map((value, at) => (
                  <td key={at === 0 ? "A" : "B"} className="right">
                    {value.toFixed(2)}
                  </td>
                ))}
                {values.length === 2 && (
                  <td className="right">{changeOf((values[1] ?? 0) - (values[0] ?? 0))}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {a && b && (
        <div className="acts">
          <Button variant="default" onClick={() => keep(a, "A")}>
            Keep A
          </Button>
          <Button variant="default" onClick={() => keep(b, "B")}>
            Keep B
          </Button>
        </div>
      )}
    </>
  );
}

const changeOf = (change: number) =>
  Math.abs(change) < 0.005 ? "same" : `${change > 0 ? "▲" : "▼"} ${Math.abs(change).toFixed(2)}`;

function QuestionRows(
  props: Pick<RunsProps, "questions" | "space" | "name"> & { readonly ran: readonly Ran[] | null },
) {
  const { questions, space, name, ran } = props;
  const queries = useQueryClient();
  const remove = useMutation(
    trpc.removeEvalQuestions.mutationOptions({
      onSuccess: () => forgetAnswers(queries),
      onError: (error) => notDone("The question was not removed", error),
    }),
  );
  const found = (of: Ran, { id, relevant }: Question) =>
    `${Math.round((of.get(id)?.recall_at_10 ?? 0) * relevant.length)} of ${relevant.length}`;
  return (
    <table className="lab-table">
      <caption className="unseen">Questions, and how many relevant memories are in the first 10</caption>
      <thead>
        <tr>
          <th scope="col">Question</th>
          {ran ? (
            ran.map((_, at) => (
              <th key={at === 0 ? "A" : "B"} scope="col" className="right">
                {`Found, ${at === 0 ? "A" : "B"}`}
              </th>
            ))
          ) : (
            <th scope="col" className="right">
              Relevant
            </th>
          )}
          {mayWrite(space) && (
            <th scope="col">
              <span className="unseen">Remove</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {questions.map((question) => (
          <tr key={question.id}>
            <td>
              <Link
                to={FROM}
                params={{ space: space.key }}
                search={(before) => ({ ...before, q: String(question.asked.query), view: undefined })}
              >
                <bdi>{String(question.asked.query).slice(0, 280)}</bdi>
              </Link>
            </td>
            {ran ? (
              ran.map((one, at) => (
                <td key={at === 0 ? "A" : "B"} className="right">
                  {found(one, question)}
                </td>
              ))
            ) : (
              <td className="right">{question.relevant.length}</td>
            )}
            {mayWrite(space) && (
              <td className="right">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={`Remove the question ${String(question.asked.query).slice(0, 60)}`}
                  onClick={() => remove.mutate({ name, team_id: space.teamId, ids: [question.id] })}
                >
                  <Icon name="close" size={16} />
                </ActionIcon>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function forgetAnswers(queries: ReturnType<typeof useQueryClient>) {
  void queries.invalidateQueries({ queryKey: trpc.listEvalSets.queryKey() });
  void queries.invalidateQueries({ queryKey: trpc.getEvalSet.queryKey() });
}

function RemoveSet(props: {
  readonly name: string;
  readonly count: number;
  readonly space: Space;
  readonly close: () => void;
}) {
  const { name, count, space, close } = props;
  const queries = useQueryClient();
  const remove = useMutation(
    trpc.removeEvalQuestions.mutationOptions({
      onSuccess() {
        close();
        void queries.invalidateQueries({ queryKey: trpc.listEvalSets.queryKey() });
        done(`Deleted ${name}.`);
      },
    }),
  );
  const words = count === 1 ? "1 question" : `${count} questions`;
  return (
    <Confirmed
      title={`Delete ${name}?`}
      verb={`Delete ${words}`}
      failed="Deleting it"
      isPending={remove.isPending}
      error={remove.error}
      confirm={() => remove.mutate({ name, team_id: space.teamId })}
      close={close}
    >
      <p>{`${words} with the memories that should come. This cannot be undone; save the set as a file first to keep it. The memories stay.`}</p>
    </Confirmed>
  );
}
