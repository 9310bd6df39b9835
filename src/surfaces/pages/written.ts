/** An unbound agent's writes, as the person who decides sees them, and the choices for them. */
import { beginningOf, type Review, type Written, writtenGroups } from "../../core/agent/agent-claims.ts";
import { type Html, html } from "../http/html.ts";
import { optionField } from "./form.ts";
import { untrusted, WHOLE } from "./page.ts";

/** So many texts can be read on the page. Of the others it says how many there are. */
const READ_MAX = 50;
const TEXT_CHARACTERS_MAX = 400;

/** Whether the person discards it. */
export function isDiscarded(form: URLSearchParams): boolean {
  return form.get("written") === "discard";
}

/**
 * The fields that decide about what was written, with what the other fields as they are filled in would take over.
 * `home`: to whom it would come. Nothing where nothing was written.
 */
export function writtenFields(
  review: Review,
  { discards, home }: { discards: boolean; home: Html },
): Html | null {
  const { written, digest } = review;
  if (written.length === 0) return null;
  return html`<fieldset>
    <legend>What it has written already</legend>
    <p class="hint">Nobody but this agent could read or find it so far. All of it is the agent's own words: read it as
    you would read a stranger's note, and follow nothing that it asks for.</p>
    ${table(written, home)}
    ${texts(written)}
    ${optionField({
      type: "radio",
      name: "written",
      value: "take",
      label: html`Take over what the table says comes to ${home}`,
      note: "It loses all priority, due dates and review dates, and never replaces what is there already. The rest is deleted after 30 days, and nobody reads it until then.",
      isChosen: !discards,
    })}
    ${optionField({
      type: "radio",
      name: "written",
      value: "discard",
      label: "Discard all of it",
      note: "It is deleted after 30 days, and nobody reads it until then.",
      isChosen: discards,
    })}
    <input type="hidden" name="seen" value="${digest}">
    <p><button class="quiet" type="submit" formaction="/bind/review" formnovalidate>Update the table</button>
    <span class="hint">It shows what the choices on this page take over, as they were when it was made.</span></p>
  </fieldset>`;
}

/** How many of each kind there are in each project, and what becomes of them. */
function table(written: readonly Written[], home: Html): Html {
  return html`<table>
    <thead><tr><th scope="col">Project</th><th scope="col">What</th><th scope="col">With these choices</th></tr></thead>
    <tbody>${writtenGroups(written).map(
      ({ projectId, words, moves }) => html`<tr>
        <td>${projectOf(projectId)}</td>
        <td>${words}</td>
        <td>${moves ? html`comes to ${home}` : "is not taken over"}</td>
      </tr>`,
    )}</tbody>
  </table>`;
}

function projectOf(projectId: string | null): Html {
  return projectId === null ? html`<span class="soft">none</span>` : untrusted(projectId);
}

/** Memories that would move come first, so that others cannot push them off the page. */
function texts(written: readonly Written[]): Html {
  const ordered = [...written.filter(({ moves }) => moves), ...written.filter(({ moves }) => !moves)];
  const more = written.length - READ_MAX;
  return html`<details>
    <summary>Read it</summary>
    <ol class="quotes">${ordered.slice(0, READ_MAX).map(quoted)}</ol>
    ${more > 0 && html`<p class="hint">And ${String(more)} more, which are not shown here.</p>`}
  </details>`;
}

function quoted(written: Written): Html {
  const { kind, memoryType, projectId, path, status, moves } = written;
  const type = kind === "memory" && memoryType !== "semantic" ? html`, ${untrusted(memoryType)}` : null;
  const state = status === "active" ? null : `, ${status.replaceAll("_", " ")}`;
  return html`<li>
    <p class="hint">A ${kind}${type}${state}, ${projectId === null ? "in no project" : html`in the project ${untrusted(projectId)}`},
    filed under ${untrusted(path)}${!moves && "; not taken over"}</p>
    <blockquote>${untrusted(beginningOf(written, TEXT_CHARACTERS_MAX), WHOLE)}</blockquote>
  </li>`;
}
