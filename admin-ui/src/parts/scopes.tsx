/** What somebody may do, in words: as it is read, and as it is chosen. The words are the contract's. */
import { Checkbox } from "@mantine/core";
import { includedInWrite, type Scope, scopes } from "../../../src/contract/scope.ts";

/** Each scope as a sentence of its own; its name on hover. */
export function ScopeWords({ granted }: { readonly granted: readonly Scope[] }) {
  return (
    <ul className="plain scopes">
      {granted.map((scope) => (
        <li key={scope} title={scope}>
          {scopes[scope]}
        </li>
      ))}
    </ul>
  );
}

const NOTES: Partial<Record<Scope, string>> = {
  "memory:write": "Includes deleting permanently",
  "knowledge:read": "Not included in reading memories",
};

interface Choice {
  readonly offered: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly choose: (scopes: Scope[]) => void;
}

/** Those that are part of writing are behind a disclosure. */
export function ScopeChoice({ offered, chosen, choose }: Choice) {
  const isPart = (scope: Scope) => includedInWrite.includes(scope);
  const box = (scope: Scope) => (
    <Checkbox
      key={scope}
      label={scopes[scope]}
      description={NOTES[scope] ?? scope}
      checked={chosen.includes(scope)}
      onChange={({ currentTarget: { checked } }) =>
        choose(offered.filter((one) => (one === scope ? checked : chosen.includes(one))))
      }
    />
  );
  return (
    <fieldset className="choices">
      <legend>What it may do</legend>
      {offered.filter((scope) => !isPart(scope)).map(box)}
      <details open={chosen.some(isPart)}>
        <summary>Individual scopes instead of all writing</summary>
        <div className="choices">{offered.filter(isPart).map(box)}</div>
      </details>
    </fieldset>
  );
}
