import { operationList } from "../../src/contract/operations.ts";
import { type Cell, ORDINARY, type Relation } from "./cells.ts";
import { type OperationRule, type Outcome, type Rules, type Special, withIncluded } from "./rules.ts";

/** A place like any other, but for its bucket, which is always the ledger. */
const LEDGER = "the ledger";

/** What the page foretells of a cell: its steps in their order. Throws for what the page does not decide. */
export function expectedOf(rules: Rules, cell: Cell): Outcome {
  const { rule, kind, scopes } = cell;
  if (!mayCall(rules, rule, kind, scopes)) return "insufficient_scope";
  const held = withIncluded(rules, scopes);
  if (rule.also.some((scope) => !held.has(scope))) return "insufficient_scope";
  if (/^its own/.test(rule.actsOn)) return "allowed";
  if (rule.actsOn === "place" || rule.actsOn === LEDGER) return created(rules, cell);
  if (rule.actsOn === "receipt") return seen(rules, receiptPosition(cell));
  if (/^(one|many) (memor|todo|decision)/.test(rule.actsOn)) return existing(rules, cell);
  if (/project|run/.test(rule.actsOn)) return maintained(rules, cell);
  throw new Error(`the page does not decide what acts on "${rule.actsOn}"`);
}

/** Steps 2 and 3: the kind and the scopes let the operation be called at all. */
export function mayCall(rules: Rules, rule: OperationRule, kind: string, scopes: readonly string[]): boolean {
  const held = withIncluded(rules, scopes);
  const isKind = rule.kinds.includes("any") || rule.kinds.includes(kind);
  return isKind && (rule.scopes.length === 0 || rule.scopes.some((scope) => held.has(scope)));
}

/** Where a new memory lands: the place in the token space, the ledger, then the team. */
function created(rules: Rules, cell: Cell): Outcome {
  const { rule, position, relation, subject } = cell;
  // A project in the address is refused before anything of the place is looked at.
  if (hasProjectInAddress(rule) && position.confinement === "projects" && !position.isInside)
    return outside(rules, cell);
  // What is to be the user's own says `scope: private`: there is no other means.
  if (relation.whose === "own" && position.confinement === "team")
    return rules.destinations.get("scope: private").confined;
  // Whoever reaches one team only is told of no other, wherever in it the memory was to go.
  if (cell.holder === "team" && relation.whose !== "own") return rules.whose.get(relation.whose);
  const isInBucket = rule.actsOn !== LEDGER || position.confinement !== "buckets";
  if (!position.isInside || !isInBucket) return rules.confinements.get(position.confinement).created;
  if (rule.actsOn !== LEDGER && subject !== ORDINARY) {
    const { scope, created } = rules.specials.get(subject);
    if (!cell.scopes.includes(scope) && created !== "allowed") return created;
  }
  return ofRelation(rules, relation, "write");
}

/** A project first, then the role in its team, then what is asked for in it. */
function maintained(rules: Rules, cell: Cell): Outcome {
  const { rule, position, relation, scopes } = cell;
  const isPart = ["path prefix", "buckets"].includes(position.confinement);
  if (isPart && rule.actsOn === "a whole project")
    return rules.confinements.get(position.confinement).created;
  if (!isPart && !position.isInside) return rules.confinements.get(position.confinement).belowProject;
  const outcome = ofRelation(rules, relation, rule.capacity);
  if (outcome !== "allowed") return outcome;
  if (rule.actsOn === "memories of a project") return existing(rules, cell);
  const isHidden = rule.actsOn === "a maintenance run" && (isPart || !scopes.includes("knowledge:read"));
  return isHidden ? "not_found" : outcome;
}

/** What is there: token space, whose, role, and last what the memory itself asks for. */
function existing(rules: Rules, cell: Cell): Outcome {
  const { rule, position, relation, subject, scopes } = cell;
  if (!position.isInside) return outside(rules, cell);
  const outcome = ofRelation(rules, relation, rule.capacity);
  if (outcome === "not_found" || subject === ORDINARY) return outcome;
  const special = rules.specials.get(subject);
  if (scopes.includes(special.scope)) return outcome;
  const ofSubject = outcomeOfSubject(rule, relation, special);
  return ofSubject === "not_found" || outcome === "allowed" ? ofSubject : outcome;
}

function outside(rules: Rules, { rule, position }: Cell): Outcome {
  const { existing, belowProject } = rules.confinements.get(position.confinement);
  return hasProjectInAddress(rule) ? belowProject : existing;
}

function hasProjectInAddress(rule: OperationRule): boolean {
  const operation = operationList.find(({ name }) => name === rule.operation);
  return operation?.http.path.includes("{project_id}") ?? false;
}

function outcomeOfSubject(rule: OperationRule, relation: Relation, special: Special): Outcome {
  const isOfMany = rule.actsOn.startsWith("many ");
  if (rule.capacity === "read") return isOfMany ? special.underWildcard : special.read;
  // Deletion by filter leaves out what it may not change, where it does not name a team.
  const isLeftOut = isOfMany && relation.role === null && special.changed !== "allowed";
  return isLeftOut ? "not_found" : special.changed;
}

function ofRelation(rules: Rules, relation: Relation, capacity: OperationRule["capacity"]): Outcome {
  const outcome = rules.whose.get(relation.whose);
  if (outcome !== "by role") return outcome;
  if (relation.role === null) throw new Error("a team of one's own without a role");
  return rules.roles.get(relation.role)[capacity];
}

function seen(rules: Rules, { position, relation }: Cell): Outcome {
  if (!position.isInside) return rules.confinements.get(position.confinement).existing;
  return ofRelation(rules, relation, "read");
}

/** A receipt that another credential was given is outside of whatever sees only a part of the owner's memories. */
function receiptPosition(cell: Cell): Cell {
  const { confinement } = cell.position;
  const isPart = !["nothing", "team"].includes(confinement) || !cell.scopes.includes("knowledge:read");
  return isPart ? { ...cell, position: { confinement: "projects", isInside: false } } : cell;
}
