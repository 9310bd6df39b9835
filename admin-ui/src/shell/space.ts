/** The workspace that a page is about: the person's own, or one of their teams'. It is in the address: /admin/<space>/… */
import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type Outputs, trpc } from "./trpc.ts";

export const OWN = "own";

export type SignedIn = Outputs["session"];
export type Role = SignedIn["teams"][number]["role"];

export interface Space {
  /** As in the address. */
  readonly key: string;
  readonly name: string;
  /** null: the person's own. */
  readonly teamId: string | null;
  /** What the person is in it; everybody owns what is theirs. */
  readonly role: Role;
  /** The part of every filter that keeps to this space. */
  readonly filter: { readonly team_id?: string; readonly scope?: "private" };
}

export const sessionQuery = () => trpc.session.queryOptions({}, { staleTime: 60_000 });

/** Every space of the person; the own one first. */
export function spacesOf({ teams, user }: SignedIn): Space[] {
  return [
    { key: OWN, name: `${user.name} (you)`, teamId: null, role: "owner", filter: { scope: "private" } },
    ...teams.map(({ team_id, name, role }) => ({
      key: team_id,
      name,
      teamId: team_id,
      role,
      filter: { team_id },
    })),
  ];
}

export function useSession(): SignedIn {
  return useSuspenseQuery(sessionQuery()).data;
}

/** The space of the address. The layout has made sure that there is one. */
export function useSpace(): Space {
  const { space } = useParams({ from: "/$space" });
  const spaces = spacesOf(useSession());
  return spaces.find(({ key }) => key === space) ?? (spaces[0] as Space);
}

/** May write, change, forget and restore. The server decides anyway; this decides what is offered. */
export const mayWrite = ({ role }: Space) => role !== "viewer";
/** May decide who is in the team. */
export const mayManage = ({ role }: Space) => role === "owner" || role === "admin";
/** The same space, in which nothing is changed while a page shows the past. */
export const readOnlyIf = (isPast: boolean, space: Space): Space =>
  isPast ? { ...space, role: "viewer" } : space;
/** What asks about the whole space, and not by a filter of memories. */
export const teamOf = ({ teamId }: Space) => (teamId === null ? {} : { team_id: teamId });
