import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { ProjectPage } from "../../../features/projects/project-page.tsx";
import { optional } from "../../../shell/address.ts";

const TABS = ["pack", "todos", "decisions", "timeline", "maintenance"] as const;

/** Which side of the project is shown; the todo that is open; how far back the timeline goes. */
const search = z.object({
  tab: optional(z.enum(TABS)),
  /** Todos by what they depend on. */
  by: optional(z.literal("dependencies")),
  id: optional(z.string()),
  hours: optional(z.enum(["24", "168", "720", "8760"])),
});

export type ProjectSearch = z.output<typeof search>;

export const Route = createFileRoute("/$space/projects/$project")({
  validateSearch: (given) => search.parse(given),
  component: ProjectPage,
});
