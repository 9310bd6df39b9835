import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { ErasePage } from "../../features/erase/erase-page.tsx";
import { optional } from "../../shell/address.ts";

/** The term to begin with. */
const search = z.object({ term: optional(z.string()) });

export const Route = createFileRoute("/$space/erase")({
  validateSearch: (given) => search.parse(given),
  component: ErasePage,
});
