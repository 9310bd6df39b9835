import { approvalWords, scopeNotes } from "../../contract/agent-approval.ts";
import { includedInWrite, type Scope, scopeNamed, scopes } from "../../contract/scope.ts";
import { type Html, html } from "../http/html.ts";
import { optionField } from "./form.ts";

const isNarrow = (scope: Scope) => includedInWrite.includes(scope);

/** The scopes to choose from, in words. Those that are part of writing are behind a disclosure. */
export function scopeChoice(offered: readonly Scope[], chosen: readonly Scope[]): Html {
  const isPart = (scope: Scope) => offered.includes("memory:write") && isNarrow(scope);
  const parts = offered.filter(isPart);
  return html`<fieldset>
    <legend>${approvalWords.may}</legend>
    ${offered.filter((scope) => !isPart(scope)).map((scope) => box(scope, chosen))}
    ${
      parts.length > 0 &&
      html`<details${parts.some((scope) => chosen.includes(scope)) && html` open`}>
      <summary>${approvalWords.narrowScopes}</summary>
      ${parts.map((scope) => box(scope, chosen))}
    </details>`
    }
  </fieldset>`;
}

function box(scope: Scope, chosen: readonly Scope[]): Html {
  return optionField({
    type: "checkbox",
    name: "scope",
    value: scope,
    label: scopes[scope],
    note: html`<code>${scope}</code>${scopeNotes[scope] && ` ${scopeNotes[scope]}`}`,
    isChosen: chosen.includes(scope),
  });
}

/** The scopes that were chosen, of those that were offered. */
export function chosenScopes(form: URLSearchParams, offered: readonly Scope[]): Scope[] {
  const chosen = form.getAll("scope").map(scopeNamed);
  return offered.filter((scope) => chosen.includes(scope));
}

/** Scopes as they are read in a list. */
export function scopeList(granted: readonly Scope[]): Html {
  return html`<ul class="scopes">${granted.map((scope) => html`<li>${scopes[scope]}</li>`)}</ul>`;
}
