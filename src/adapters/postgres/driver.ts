import postgres from "postgres";

/** Whether the driver has the patch of `patches/`. Without it the first connection that breaks ends the process. */
export function isDriverPatched(): boolean {
  return (postgres as { isPatchedByRecollect?: boolean }).isPatchedByRecollect === true;
}

/** What to do where it has not. */
export const HOW_TO_PATCH =
  "Run `node bin/apply-patches.js`, as `npm ci` does where it is not told --ignore-scripts.";
