import { createRouter } from "@tanstack/react-router";
import { routeTree } from "../routeTree.gen.ts";

/** Search parameters are text, all of them: what looks like a number stays what was typed. */
export const router = createRouter({
  routeTree,
  basepath: "/admin",
  defaultPreload: "intent",
  scrollRestoration: true,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
