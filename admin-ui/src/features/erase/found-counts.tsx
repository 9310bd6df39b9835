import { counted, type ErasePlan, nameOfWorkspace, number } from "./found.ts";

const COLUMNS = [
  ["memories", "Memories"],
  ["todos", "Todos"],
  ["decisions", "Decisions"],
  ["hidden", "Of them hidden"],
  ["earlier_only", "Only earlier"],
  ["questions", "Questions"],
] as const;

/** How many records contain the terms, by workspace and kind, and by term. */
export function Counts({ found }: { readonly found: ErasePlan }) {
  return (
    <>
      <div className="scroll">
        <table className="counts">
          <thead>
            <tr>
              <th scope="col">Workspace</th>
              {COLUMNS.map(([name, label]) => (
                <th scope="col" key={name}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.workspaces.map((workspace) => (
              <tr key={workspace.workspace_id}>
                <th scope="row">
                  <bdi>{nameOfWorkspace(workspace)}</bdi>
                </th>
                {COLUMNS.map(([name]) => (
                  <td key={name}>{number.format(workspace[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="soft">
        Hidden: forgotten, superseded, archived or expired. Only earlier: the term is in an earlier version
        alone; the whole record goes. Questions: those of the recall log.
      </p>
      <ul className="plain terms">
        {found.terms.map(({ term, records }) => (
          <li key={term}>
            <strong>
              <bdi>{term}</bdi>
            </strong>
            {` in ${counted(records, "record")}`}
          </li>
        ))}
      </ul>
    </>
  );
}
