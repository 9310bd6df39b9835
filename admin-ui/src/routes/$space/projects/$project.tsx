import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { ProjectPage } from "../../../features/projects/project-page.tsx";

const TABS = ["pack", "todos", "decisions", "timeline", "maintenance"] as const;

/** Which side of the project is shown; the todo that is open; how far back the timeline goes. */
const search = z.object({
  tab: z.enum(TABS).optional().catch(undefined),
  id: z.string().optional().catch(undefined),
  hours: z.enum(["24", "168", "720", "8760"]).optional().catch(undefined),
});

export type ProjectSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/projects/$project")({
  validateSearch: (given) => search.parse(given),
  component: ProjectPage,
});
