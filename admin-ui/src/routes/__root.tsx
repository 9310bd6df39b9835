import { createRootRoute, Link, Outlet } from "@tanstack/react-router";
import { Empty, Failed } from "../parts/states.tsx";

export const Route = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <main className="main">
      <h1>Not found</h1>
      <Empty title="There is no such page or workspace" action={<Link to="/">To your own workspace</Link>}>
        The address may be wrong, or the team is no longer yours.
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
