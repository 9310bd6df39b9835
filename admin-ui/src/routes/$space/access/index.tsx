import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AccessPage } from "../../../features/access/access-page.tsx";
import { KINDS_OF_ENTRY } from "../../../features/access/kinds.ts";
import { optional } from "../../../shell/address.ts";

/** Which of them are listed, and in which order. Never a secret: it is in no address. */
const search = z.object({
  kind: optional(z.enum(KINDS_OF_ENTRY)),
  q: optional(z.string()),
  ended: optional(z.literal("shown")),
  by: optional(z.enum(["used", "recalls", "expires"])),
  turned: optional(z.literal("yes")),
});

export type AccessSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/access/")({
  validateSearch: (given) => search.parse(given),
  component: AccessPage,
});
