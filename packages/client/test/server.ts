import type { TestProject } from "vitest/node";
import { startServer } from "../../../test/protocol/server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** `team`: the id of a team of the key's owner. */
    server: { readonly url: string; readonly key: string; readonly team: string };
  }
}

/** One server for all files: each writes of its own subjects. */
export async function setup(project: TestProject) {
  const { url, key, recollect, stop } = await startServer();
  const made = (await recollect("teams", "create", "harbour", "--owner", "local")) as { team_id: string };
  project.provide("server", { url, key, team: made.team_id });
  return stop;
}
