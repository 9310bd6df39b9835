import {
  type Credential,
  change,
  credentialOf,
  holds,
  homeTeam,
  idOf,
  isBelow,
  isLive,
  isTeam,
  type Memory,
  type Model,
  mayWrite,
  type OwnerName,
  sees,
  whyNotIn,
} from "./model.ts";
import type { Said, Target } from "./step.ts";
import { asItStands, giveWay, NOT_SUPERSEDED } from "./supersession.ts";

/** What was answered to a create, alone or in a batch. `code` is null where it was not refused. */
export interface CreateAnswer {
  readonly code: string | null;
  readonly id: string | null;
  readonly superseded: readonly string[];
}

/** What should be answered: one of these refusals, a memory that was there, or a new one. */
type Expected =
  | { readonly codes: readonly string[] }
  | { readonly known: Memory; readonly isRepeat?: boolean; readonly codes?: readonly string[] }
  | {
      readonly superseded: readonly Memory[];
      readonly successor: Memory | null;
      readonly codes?: undefined;
    };

export interface Create {
  readonly by: string;
  readonly number: number;
  readonly dedupe: boolean;
  readonly said: Said;
}

/** Changes the model as the create should change the world; answers where the service disagrees. */
export function playCreate(model: Model, create: Create, answer: CreateAnswer): string | null {
  const credential = credentialOf(model, create.by);
  const expected = expectedOf(model, credential, create);
  if (answer.code !== null && expected.codes?.includes(answer.code)) return null;
  if (!("known" in expected) && expected.codes) {
    return `a create should be refused with ${expected.codes.join(" or ")}, was ${told(answer)}`;
  }
  if (answer.code !== null || answer.id === null) return `a create should be done, was ${told(answer)}`;
  if ("known" in expected) {
    model.made.set(create.number, answer.id);
    if (expected.isRepeat) change(model, expected.known.serial, {});
    return answer.id === expected.known.id
      ? null
      : `a create should answer ${expected.known.id}, was ${told(answer)}`;
  }
  const superseded = expected.superseded.map(({ id }) => id).sort();
  if (JSON.stringify([...answer.superseded].sort()) !== JSON.stringify(superseded))
    return `a create should supersede ${JSON.stringify(superseded)}, was ${told(answer)}`;
  if (create.said.id !== null && answer.id !== create.said.id)
    return `a create should answer the id it was given, was ${told(answer)}`;
  add(model, credential, create, answer.id, expected);
  return null;
}

function expectedOf(model: Model, credential: Credential, { said, dedupe }: Create): Expected {
  if (credential.isEnded) return { codes: ["invalid_token"] };
  if (!holds(credential, "memory:write")) return { codes: ["insufficient_scope"] };
  const refusals = whyNotPlaced(model, credential, said);
  if (refusals.length > 0) return { codes: refusals };
  const owner = ownerOf(credential, said);
  const project = projectOf(credential, said);
  const all = [...model.memories.values()].filter((memory) => memory.owner === owner);

  const holder = said.id === null ? undefined : all.find((memory) => memory.id === said.id);
  if (holder) {
    const isSame =
      holder.created === requestOf(said, project, owner) &&
      holder.status !== "soft_deleted" &&
      sees(model, credential, holder);
    if (!isSame) return { codes: ["memory_id_conflict"] };
    // An agent's own request may be known again under its user, or not.
    return holder.isAdopted ? { known: holder, codes: ["memory_id_conflict"] } : { known: holder };
  }
  const status = said.status ?? "active";
  const equal = all.find(
    (memory) =>
      dedupe &&
      !memory.isAdopted &&
      isLive(memory) &&
      textOf(memory.content) === textOf(said.content) &&
      memory.project === project &&
      memory.path === said.path &&
      memory.bucket === said.bucket &&
      memory.type === said.type &&
      asItStands(memory).status === status &&
      memory.key === said.key,
  );
  if (equal)
    return mayWrite(model, credential, equal) ? { known: equal, isRepeat: true } : { codes: ["conflict"] };
  if (said.supersededBy !== null) {
    const successor = successorOf(model, credential, owner, said.supersededBy);
    if (!successor) return { codes: ["validation_failed"] };
    return { superseded: [], successor };
  }
  const older = all.filter(
    (memory) =>
      isLive({ status, isExpired: said.isExpired, former: null, isBack: false }) &&
      isLive(memory) &&
      said.key !== null &&
      memory.key === said.key &&
      memory.project === project &&
      memory.bucket === said.bucket,
  );
  if (older.some((memory) => !mayWrite(model, credential, memory))) return { codes: ["conflict"] };
  return { superseded: older, successor: null };
}

/** What of a create says where the memory is to lie. */
type Placing = Pick<Said, "scope" | "team" | "project" | "path" | "bucket">;

/** Every reason not to write there at all. Which of several is answered is left open. */
export function whyNotPlaced(model: Model, credential: Credential, said: Placing): string[] {
  const why = new Set<string>();
  const home = homeTeam(credential);
  const { projects, pathPrefix, buckets } = credential.space;
  if (said.scope === "private" && (home !== null || said.team !== null)) why.add("validation_failed");
  if (said.scope === "team" && said.team === null && home === null) why.add("validation_failed");
  if (said.project === null && projects !== null && projects.length > 1) why.add("validation_failed");
  const project = projectOf(credential, said);
  if (projects !== null && (project === null || !projects.includes(project))) why.add("insufficient_scope");
  if (pathPrefix !== null && !isBelow(said.path, pathPrefix)) why.add("insufficient_scope");
  if (buckets !== null && !buckets.includes(said.bucket)) why.add("insufficient_scope");
  if (said.bucket === "ledger" && !holds(credential, "ledger:write")) why.add("insufficient_scope");
  const owner = ownerOf(credential, said);
  const isOwn = owner === credential.owner && credential.space.team === null;
  // A user is no team, its own neither.
  if (!isOwn || (said.team !== null && home === null))
    for (const code of whyNotIn(model, credential, owner)) why.add(code);
  return [...why];
}

export function ownerOf(credential: Credential, said: Pick<Said, "team">): OwnerName {
  return said.team ?? homeTeam(credential) ?? credential.owner;
}

export function projectOf({ space }: Credential, said: Pick<Said, "project">): string | null {
  if (said.project !== null || space.projects === null) return said.project;
  return space.projects.length === 1 ? (space.projects[0] as string) : null;
}

/** A successor is a live memory of the same owner that the credential may write. */
export function successorOf(
  model: Model,
  credential: Credential,
  owner: OwnerName,
  target: Target,
): Memory | null {
  const id = idOf(model, target);
  const found = [...model.memories.values()].find((memory) => memory.owner === owner && memory.id === id);
  return found && isLive(found) && mayWrite(model, credential, found) ? found : null;
}

function add(
  model: Model,
  credential: Credential,
  { said, number }: Create,
  id: string,
  expected: { readonly superseded: readonly Memory[]; readonly successor: Memory | null },
): void {
  const serial = model.nextSerial++;
  const project = projectOf(credential, said);
  for (const older of expected.superseded) change(model, older.serial, giveWay(older, serial));
  const { content, tag, path, bucket, type, key, isExpired } = said;
  model.memories.set(serial, {
    ...{ content, tag, path, bucket, type, project, key, isExpired, serial, id },
    owner: ownerOf(credential, said),
    author: credential.owner,
    status: expected.successor ? "superseded" : (said.status ?? "active"),
    before: null,
    ...NOT_SUPERSEDED,
    supersededBy: expected.successor?.serial ?? null,
    created: requestOf(said, project, ownerOf(credential, said)),
    past: [],
    isAdopted: false,
    writes: 0,
  });
  model.made.set(number, id);
}

/** What makes two creates the same. */
function requestOf(said: Said, project: string | null, owner: OwnerName): string {
  const { content, path, bucket, type, tag, key, status, isExpired } = said;
  const request = [content, path, bucket, type, tag, key, status ?? "active", isExpired, project];
  return JSON.stringify([isTeam(owner), ...request]);
}

/** The request of `requestOf` as it would be for another owner. */
export function asIfMadeFor(owner: OwnerName, request: string): string {
  return JSON.stringify([isTeam(owner), ...JSON.parse(request).slice(1)]);
}

function textOf(content: string): string {
  return content.normalize("NFC").trim().replace(/\s+/g, " ");
}

function told({ code, id, superseded }: CreateAnswer): string {
  return code ?? `done as ${id}, superseding ${JSON.stringify(superseded)}`;
}
