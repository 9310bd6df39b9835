import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { AgentsPage } from "../../features/agents/agents-page.tsx";

/** Whether agents are shown whose access has ended. */
const search = z.object({ ended: z.literal("shown").optional().catch(undefined) });

export const Route = createFileRoute("/$space/agents")({
  validateSearch: (given) => search.parse(given),
  component: AgentsPage,
});
