import { ActionIcon } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import { Failed, Waiting } from "../../parts/states.tsx";
import type { Space } from "../../shell/space.ts";
import { trpc } from "../../shell/trpc.ts";
import type { MemoriesSearch } from "./address.ts";
import { filterOf } from "./filter.ts";

const number = new Intl.NumberFormat("en");

interface TreeProps {
  readonly space: Space;
  readonly search: MemoriesSearch;
  readonly choose: (path: string | null) => void;
}

/** The paths that memories have, with how many are at and below each. A folder is asked for when it is opened. */
export function PathTree(props: TreeProps) {
  return (
    <section className="panel tree" aria-label="Paths">
      <Folder {...props} below={null} />
    </section>
  );
}

function Folder({ below, ...tree }: TreeProps & { readonly below: string | null }) {
  const { space, search } = tree;
  const paths = useQuery(
    trpc.browsePaths.queryOptions({
      ...filterOf(space, { ...search, path: undefined }),
      ...(below !== null && { below }),
    }),
  );
  if (paths.isPending) return <Waiting what="the paths" />;
  if (paths.isError)
    return <Failed what="The paths" error={paths.error} retry={() => void paths.refetch()} />;
  if (paths.data.paths.length === 0)
    return <p className="soft">No memory that matches the other filters has a path here.</p>;
  return (
    <ul className="plain">
      {paths.data.paths.map((part) => (
        <Part key={part.path} {...tree} part={part} />
      ))}
      {paths.data.truncated && <li className="soft">There are more: name one in the field above.</li>}
    </ul>
  );
}

interface PartProps extends TreeProps {
  readonly part: {
    readonly name: string;
    readonly path: string;
    readonly memories: number;
    readonly has_below: boolean;
  };
}

function Part({ part, ...tree }: PartProps) {
  const { path, name, memories } = part;
  const isChosen = tree.search.path === path;
  const [isOpen, setOpen] = useState(tree.search.path?.startsWith(`${path}/`) ?? false);
  return (
    <li>
      <div className="part">
        {part.has_below ? (
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={`What is below ${path}`}
            aria-expanded={isOpen}
            data-open={isOpen || undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="onward" size={14} />
          </ActionIcon>
        ) : (
          <span className="no-below" />
        )}
        <button
          type="button"
          className="part-name"
          aria-pressed={isChosen}
          onClick={() => tree.choose(isChosen ? null : path)}
        >
          <bdi>{name}</bdi>
          <span className="soft">{number.format(memories)}</span>
        </button>
      </div>
      {isOpen && <Folder {...tree} below={path} />}
    </li>
  );
}
