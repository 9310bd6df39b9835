import { createFileRoute, notFound } from "@tanstack/react-router";
import { Waiting } from "../../parts/states.tsx";
import { Shell } from "../../shell/shell.tsx";
import { sessionQuery, spacesOf } from "../../shell/space.ts";
import { codeOf, queryClient } from "../../shell/trpc.ts";

export const Route = createFileRoute("/$space")({
  beforeLoad: async ({ params, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery()).catch((error: unknown) => {
      if (codeOf(error) !== "invalid_token") throw error;
      const next = location.publicHref;
      window.location.assign(`/sign-in?${new URLSearchParams({ next })}`);
      // The browser is on its way to the sign-in page: there is nothing more to show.
      return new Promise<never>(() => {});
    });
    if (!spacesOf(session).some(({ key }) => key === params.space)) throw notFound();
  },
  pendingComponent: () => <Waiting what="your session" />,
  component: Shell,
});
