import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { HomePage } from "../../features/home/home-page.tsx";
import { optional } from "../../shell/address.ts";

/** How far back the charts go. */
const search = z.object({ range: optional(z.enum(["hour", "day", "week", "quarter"])) });

export const Route = createFileRoute("/$space/")({
  validateSearch: (given) => search.parse(given),
  component: HomePage,
});
