import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { EndUsersPage } from "../../features/end-users/end-users-page.tsx";
import { optional } from "../../shell/address.ts";

const text = optional(z.string().check(z.minLength(1)));

/** The beginning of the ids that are listed, and the end user that is open. */
const search = z.object({ prefix: text, user: text });

export type EndUsersSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/end-users")({
  validateSearch: (given) => search.parse(given),
  component: EndUsersPage,
});
