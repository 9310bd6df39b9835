import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Compared } from "../../parts/compared.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import { MemoryStatus } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { useSpace } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";

const CHAIN_MAX = 200;

/** What a memory was before, each version against the one before it, and the memories that it replaced or was replaced by. */
export function Versions({ id }: { readonly id: string }) {
  const space = useSpace();
  const history = useInfiniteQuery(
    trpc.listVersions.infiniteQueryOptions(
      { memory_id: id },
      { getNextPageParam: ({ next_cursor }) => next_cursor },
    ),
  );
  // The chain comes with the first page.
  const chain = history.data?.pages[0]?.chain ?? [];
  // A chain is of ids: what they say is asked for once, those that were forgotten aside.
  const memory_ids = chain.map((link) => link.id).filter((other) => other !== id);
  const linked = useQuery(
    trpc.listMemories.queryOptions(
      { ...space.filter, memory_ids: memory_ids.slice(-CHAIN_MAX), status: "%", limit: CHAIN_MAX },
      { enabled: memory_ids.length > 0 },
    ),
  );
  if (history.isPending) return <Waiting what="the history" />;
  if (history.isError)
    return <Failed what="The history" error={history.error} retry={() => void history.refetch()} />;
  const of = new Map((linked.data?.memories ?? []).map((memory) => [memory.id, memory.content]));
  const versions = history.data.pages.flatMap((page) => page.versions).sort((a, b) => b.version - a.version);
  return (
    <>
      {chain.length > 1 && (
        <>
          <h3>The chain of this fact</h3>
          <ol className="plain rows">
            {chain.map((link) => (
              <li key={link.id}>
                <MemoryStatus status={link.status} />
                {link.id === id ? (
                  <strong className="grow">This memory</strong>
                ) : (
                  <Link
                    className="grow"
                    to="/$space/memories"
                    params={{ space: space.key }}
                    search={(before) => ({ ...before, id: link.id })}
                  >
                    {of.has(link.id) ? (
                      <bdi>{of.get(link.id)?.slice(0, 120)}</bdi>
                    ) : (
                      <span className="mono">{link.id}</span>
                    )}
                  </Link>
                )}
                <span className="soft">
                  <Time at={link.created_at} />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <h3>
        {versions.length === 1 && !history.hasNextPage
          ? "One version"
          : `${versions.length} versions, newest first`}
      </h3>
      {versions.length > 1 &&
        versions.map((version, at) => (
          <div className="version" key={`${version.version} ${version.valid_from} ${version.valid_to}`}>
            <strong>{`Version ${version.version}`}</strong>{" "}
            <span className="soft">
              <Time at={version.valid_from} whole />
              {version.reason && ` · ${version.reason}`}
            </span>
            <p className="stored">
              <Compared text={version.content} before={versions[at + 1]?.content ?? null} />
            </p>
          </div>
        ))}
      {history.hasNextPage && (
        <Button
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show earlier versions
        </Button>
      )}
    </>
  );
}
