import type { TestProject } from "vitest/node";
import { startServer } from "../../test/protocol/server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    server: { readonly url: string; readonly key: string };
  }
}

/** One server for all files: each writes of its own subjects. */
export async function setup(project: TestProject) {
  const { url, key, stop } = await startServer();
  project.provide("server", { url, key });
  return stop;
}
