import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { HomePage } from "../../features/home/home-page.tsx";

/** How far back the charts go. */
const search = z.object({ range: z.enum(["hour", "day", "week", "quarter"]).optional().catch(undefined) });

export const Route = createFileRoute("/$space/")({
  validateSearch: (given) => search.parse(given),
  component: HomePage,
});
