import { createFileRoute, Link, redirect } from "@tanstack/react-router";
import type { EntryKind } from "../../features/access/kinds.ts";
import { Empty } from "../../parts/states.tsx";

/** Pages that became one, and the kind of what each listed. */
const MOVED: Readonly<Record<string, EntryKind>> = { agents: "agent", credentials: "key", team: "person" };

/** An address that no page has. Addresses of pages that moved lead to the new ones. */
export const Route = createFileRoute("/$space/$")({
  beforeLoad: ({ params: { space, _splat = "" } }) => {
    const [page = "", id] = _splat.split("/");
    if (!Object.hasOwn(MOVED, page)) return;
    const kind = MOVED[page] as EntryKind;
    throw id
      ? redirect({ to: "/$space/access/$kind/$id", params: { space, kind, id }, replace: true })
      : redirect({ to: "/$space/access", params: { space }, search: { kind }, replace: true });
  },
  component: NotFound,
});

function NotFound() {
  const { space } = Route.useParams();
  return (
    <>
      <div className="heading">
        <h1>Not found</h1>
      </div>
      <Empty
        title="There is no such page"
        action={
          <Link to="/$space" params={{ space }}>
            Go to Home
          </Link>
        }
      >
        The address may be wrong, or of a page that is no more.
      </Empty>
    </>
  );
}
