/** What somebody may do, in words: as it is read, and as it is chosen. The words are the contract's. */
import { Checkbox } from "@mantine/core";
import { approvalWords, scopeNotes } from "../../../src/contract/agent-approval.ts";
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
      description={scopeNotes[scope] ?? scope}
      checked={chosen.includes(scope)}
      onChange={({ currentTarget: { checked } }) =>
        choose(offered.filter((one) => (one === scope ? checked : chosen.includes(one))))
      }
    />
  );
  return (
    <fieldset className="choices">
      <legend>{approvalWords.may}</legend>
      {offered.filter((scope) => !isPart(scope)).map(box)}
      <details open={chosen.some(isPart)}>
        <summary>{approvalWords.narrowScopes}</summary>
        <div className="choices">{offered.filter(isPart).map(box)}</div>
      </details>
    </fieldset>
  );
}
