import { credentialOf, holds, type Memory, type Model, sees, whyNotErase, whyNotWrite } from "./model.ts";
import { matching } from "./model-read.ts";
import { chainOf, remove } from "./model-write.ts";
import { filterMembers } from "./requests.ts";
import type { Stage } from "./stage.ts";
import type { Step } from "./step.ts";
import { brief, refused, same } from "./told.ts";

type DeleteMatching = Extract<Step, { kind: "deleteMatching" }>;

/** The dry run, which must count what the real run then removes. */
export async function playDeleteMatching(
  stage: Stage,
  model: Model,
  step: DeleteMatching,
): Promise<string | null> {
  const credential = credentialOf(model, step.by);
  const request = { filter: filterMembers(stage, step.filter), mode: step.mode };
  const dry = await stage.ask(step.by, (client) => client.post("/v1/memories/delete", request));
  const scope = { soft_delete: "memory:delete", hard_delete: "memory:hard_delete", redact: "memory:redact" };
  if (credential.isEnded) return refused(dry.body, ["invalid_token"]);
  // How many match a filter tells what is there: so it takes leave to read as well.
  const mayAsk = holds(credential, scope[step.mode] as never) && holds(credential, "memory:read");
  if (!mayAsk) return refused(dry.body, ["insufficient_scope"]);
  const matched = matching(model, credential, step.filter);
  if (typeof matched === "string") return refused(dry.body, [matched]);

  const why = (memory: Memory) =>
    (step.mode === "soft_delete" ? whyNotWrite : whyNotErase)(model, credential, memory);
  const refusals = matched.flatMap(why);
  // A team that is named refuses as one memory would; otherwise what is not the caller's to remove is left out.
  if (step.filter.team !== undefined && refusals.length > 0) return refused(dry.body, refusals);
  const removed = matched.filter((memory) => why(memory).length === 0);
  const fault = same(
    { matched: dry.body.matched, changed: dry.body.changed },
    { matched: removed.length, changed: 0 },
    "a dry run",
  );
  if (fault) return fault;

  const plan = { ...request, dry_run: false, plan_hash: dry.body.plan_hash };
  const real = await stage.ask(step.by, (client) => client.post("/v1/memories/delete", plan));
  if (real.status !== 200) return `a deletion by filter was answered ${brief(real.body)}`;
  const serials = new Set(removed.map(({ serial }) => serial));
  const remaining = removed
    .flatMap((memory) => chainOf(model, memory))
    .filter((link) => !serials.has(link.serial) && sees(model, credential, link));
  const expected = [...new Set(remaining)].map(({ id }) => id).sort();
  for (const memory of removed) remove(model, memory, step.mode);
  const receipt = real.body.receipt;
  if (receipt) {
    const owners = [...new Set(removed.map(({ owner }) => owner))];
    const owner = owners.length === 1 ? (owners[0] as string) : credential.owner;
    model.receipts.push({ id: receipt.id, owner, credential: step.by });
  }
  return (
    same(real.body.changed, removed.length, "a deletion by filter") ??
    (receipt ? same([...receipt.remaining].sort(), expected, "what remains of chains") : null)
  );
}
