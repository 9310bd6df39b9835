import { createRootRoute, Link, Outlet } from "@tanstack/react-router";
import { Empty, Failed } from "../parts/states.tsx";

export const Route = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <main className="main">
      <h1>Not found</h1>
      <Empty title="There is no such page or workspace" action={<Link to="/">Go to your own workspace</Link>}>
        The address may be wrong, or you are no longer in the team.
      </Empty>
    </main>
  ),
  errorComponent: ({ error, reset }) => (
    <main className="main">
      <h1>Something failed</h1>
      <Failed what="This page could not be shown" error={error} retry={reset} />
    </main>
  ),
});
