/** The pages of the admin UI by their addresses below a workspace, from the files of their routes: a new page is in it at once. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROUTES = fileURLToPath(new URL("../../../admin-ui/src/routes/$space/", import.meta.url));

/** The sides of a project are one route each in what they show, and one file. */
const SIDES = ["pack", "todos", "decisions", "timeline", "maintenance"];

export const everyPage: readonly string[] = readdirSync(ROUTES, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx") && file !== "route.tsx")
  .map((file) => file.replace(/\.tsx$/, "").replace(/(^|\/)index$/, ""))
  .flatMap((path) =>
    path === "projects/$project" ? SIDES.map((side) => `projects/apollo?tab=${side}`) : [path],
  )
  .sort();
