/** Evaluation sets: stored questions with the memories that recall should return for them. */
import { EVAL_ASKED_BYTES_MAX, EVAL_QUESTIONS_MAX, EVAL_SETS_MAX, evalAsked } from "../../contract/eval.ts";
import type { InputOf } from "../../contract/operations.ts";
import type { Caller } from "../caller.ts";
import { DomainError, invalid, notFound } from "../error.ts";
import { requireMember } from "../memory/access.ts";
import { rfc3339 } from "../memory/present.ts";
import { withoutSecrets } from "../memory/screen.ts";
import type { Ports } from "../ports.ts";
import { ownerIn } from "../project/workspace.ts";
import type { UseCase } from "../use-case.ts";

type EvalPorts = Pick<Ports, "evalSets" | "store">;
type OfSet = Pick<InputOf<"getEvalSet">, "name" | "team_id">;

async function readableOwner(
  { store }: EvalPorts,
  caller: Caller,
  team_id: OfSet["team_id"],
): Promise<string> {
  const ownerId = ownerIn(caller, team_id);
  if ((await store.workspace.roleIn(caller, ownerId)) === null) throw notFound("team");
  return ownerId;
}

/** Rejects with `not_found` if the set has no question that the caller may read. */
export const getEvalSet: UseCase<EvalPorts, "getEvalSet"> = async (ports, caller, { name, team_id }) => {
  const ownerId = await readableOwner(ports, caller, team_id);
  const questions = await ports.evalSets.questions(caller, { ownerId, name });
  if (questions.length === 0) throw notFound("evaluation set");
  return {
    name,
    questions: questions.map(({ id, asked, relevant, stale }) => ({
      id,
      asked: { ...asked },
      relevant: [...relevant],
      stale: [...stale],
    })),
  };
};

export const listEvalSets: UseCase<EvalPorts, "listEvalSets"> = async (ports, caller, { team_id }) => {
  const sets = await ports.evalSets.list(caller, await readableOwner(ports, caller, team_id));
  return { sets: sets.map(({ updatedAt, ...set }) => ({ ...set, updated_at: rfc3339(updatedAt) })) };
};

/** Secrets in a query are masked, as in the recall log. */
export const addEvalQuestions: UseCase<
  EvalPorts & Pick<Ports, "secrets" | "newId">,
  "addEvalQuestions"
> = async (ports, caller, { name, team_id, questions }) => {
  const ownerId = await writableOwner(ports, caller, team_id);
  const added = questions.map(({ relevant, stale, ...given }, at) => {
    const asked = { ...withoutDefaults(given), query: withoutSecrets(ports.secrets, given.query) };
    if (new TextEncoder().encode(JSON.stringify(asked)).length > EVAL_ASKED_BYTES_MAX)
      throw invalid(
        ["questions", at],
        `must be at most ${EVAL_ASKED_BYTES_MAX} bytes of JSON without its ids`,
      );
    return { id: ports.newId(), asked, relevant, stale };
  });
  const max = { sets: EVAL_SETS_MAX, questions: EVAL_QUESTIONS_MAX };
  const outcome = await ports.evalSets.add(caller, { ownerId, name }, added, max);
  if ("unknown" in outcome) throw notFound("memory");
  if ("full" in outcome)
    throw new DomainError(
      "quota_exceeded",
      outcome.full === "sets"
        ? `There are ${EVAL_SETS_MAX} evaluation sets already: remove one first.`
        : `An evaluation set has at most ${EVAL_QUESTIONS_MAX} questions: remove some, or begin another set.`,
    );
  return { questions: outcome.count };
};

/** Rejects with `not_found` if nothing was there to be removed. */
export const removeEvalQuestions: UseCase<EvalPorts, "removeEvalQuestions"> = async (
  ports,
  caller,
  { name, team_id, ids },
) => {
  const ownerId = await writableOwner(ports, caller, team_id);
  const removed = await ports.evalSets.remove({ ownerId, name }, ids ?? null);
  if (removed === 0) throw notFound("evaluation set");
  return { removed };
};

async function writableOwner(
  { store }: EvalPorts,
  caller: Caller,
  team_id: OfSet["team_id"],
): Promise<string> {
  const ownerId = ownerIn(caller, team_id);
  await requireMember({ roleIn: (id) => store.workspace.roleIn(caller, id) }, ownerId);
  return ownerId;
}

/** What a search takes if a member is left out. */
const DEFAULTS: Readonly<Record<string, unknown>> = evalAsked.parse({ query: "-" });

/** Without defaults, which are not the same in a search and in a context. */
function withoutDefaults(asked: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(asked).filter(([member, value]) => value != null && value !== DEFAULTS[member]),
  );
}
