import type { Outputs } from "../../shell/trpc.ts";

export type ErasePlan = Outputs["eraseSubject"];
export type PlanLine = ErasePlan["lines"][number];
/** A record of any workspace. */
export type RecordName = Pick<PlanLine, "workspace_id" | "id">;

export const keyOf = ({ workspace_id, id }: RecordName) => `${workspace_id} ${id}`;

export const number = new Intl.NumberFormat("en");

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

export const records = (count: number) => counted(count, "record");

export const nameOfWorkspace = ({ kind, name }: ErasePlan["workspaces"][number]) =>
  kind === "own" ? `${name} (you)` : kind === "quarantine" ? `Quarantine of ${name}` : name;
