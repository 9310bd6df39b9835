import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Failed, Waiting } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { done, notDone } from "../../parts/toasts.tsx";
import { useSession } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import { EraseAccount } from "./erase-account.tsx";

/** Where am I signed in? */
export function AccountPage() {
  const { email, user, session_id } = useSession();
  const queries = useQueryClient();
  const sessions = useQuery(trpc.listSessions.queryOptions({}));
  const end = useMutation(
    trpc.endSession.mutationOptions({
      onSuccess: (_, ended) => {
        if (ended.session_id === session_id) window.location.assign("/sign-in");
        else done("That browser is signed out.");
      },
      onError: (error) => notDone("Not signed out", error),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.listSessions.pathKey() }),
    }),
  );
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Account</h1>
          <p>{`${email}, with the memories of the user ${user.name}`}</p>
        </div>
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate({ session_id })}>
          Sign out
        </Button>
      </div>
      <section className="panel" aria-labelledby="sessions">
        <h2 className="panel-title" id="sessions">
          Where you are signed in
        </h2>
        {sessions.isPending && <Waiting what="the sessions" />}
        {sessions.isError && (
          <Failed what="The sessions" error={sessions.error} retry={() => void sessions.refetch()} />
        )}
        <ul className="plain rows">
          {sessions.data?.sessions.map(({ id, is_current, started_at, expires_at }) => (
            <li key={id}>
              {is_current ? (
                <Status tone="good" icon="good" word="This browser" />
              ) : (
                <Status tone="soft" icon="account" word="Another browser" />
              )}
              <span className="grow soft">
                since <Time at={started_at} whole />, at the latest until <Time at={expires_at} whole />
              </span>
              {!is_current && (
                <Button
                  size="xs"
                  variant="outline"
                  color="bad"
                  onClick={() => end.mutate({ session_id: id })}
                >
                  Sign this one out
                </Button>
              )}
            </li>
          ))}
        </ul>
      </section>
      <p className="soft">
        Agents and apps that you let in are listed on their own pages, and on{" "}
        <a href="/account">the page of your account</a>, which works without a script.
      </p>
      <EraseAccount />
    </>
  );
}
