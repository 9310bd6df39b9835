import { z } from "zod";
import { projectId } from "../../contract/primitives.ts";
import type { Scope } from "../../contract/scope.ts";
import type { Membership } from "../../core/access/team-store.ts";
import type { Approval, Claim } from "../../core/agent/agent-claims.ts";
import { type Html, html } from "../http/html.ts";
import { choice } from "./fields.ts";
import { said } from "./said.ts";
import { allScopes, chosenScopes, scopeChoice } from "./scope-choice.ts";

/** What a person fills in, before it is known to be right. */
export interface ApprovalChoice {
  readonly scopes: readonly Scope[];
  /** "" for the person's own memories and all its teams'. */
  readonly team: string;
  readonly isAllProjects: boolean;
  readonly projectList: string;
}

const PROJECTS_MAX = 100;
const projectList = z.array(projectId).min(1).max(PROJECTS_MAX);

/** Reading and writing, everywhere; the agent's project stands ready to be chosen. */
export function firstChoice(claim: Pick<Claim, "projectId">): ApprovalChoice {
  return {
    scopes: ["memory:read", "memory:write"],
    team: "",
    isAllProjects: true,
    projectList: claim.projectId ?? "",
  };
}

export function readChoice(form: URLSearchParams): ApprovalChoice {
  return {
    scopes: chosenScopes(form, allScopes),
    team: form.get("team") ?? "",
    isAllProjects: form.get("projects") !== "these",
    projectList: form.get("project_list") ?? "",
  };
}

/** What was chosen, or a sentence about what is to be mended. */
export function approvalOf(given: ApprovalChoice, memberships: readonly Membership[]): Approval | string {
  if (given.scopes.length === 0) return "Choose at least one thing that the agent may do, or deny it.";
  if (given.team !== "" && !memberships.some(({ team }) => team.id === given.team))
    return "You are not a member of that team. Choose another.";
  const base = { scopes: given.scopes, teamId: given.team === "" ? null : given.team };
  if (given.isAllProjects) return { ...base, projects: null };
  const names = given.projectList.split(/[\s,]+/).filter((name) => name !== "");
  const projects = projectList.safeParse([...new Set(names)]);
  if (projects.success) return { ...base, projects: projects.data };
  if (names.length === 0) return "Name the projects, or choose all of them.";
  return `Name at most ${PROJECTS_MAX} projects, each of A-Z a-z 0-9 . _ : - and not . or .., with a comma between them.`;
}

/** The fields of an approval. */
export function approvalFields(given: ApprovalChoice, memberships: readonly Membership[]): Html {
  return html`${scopeChoice(allScopes, given.scopes)}
  ${memberships.length > 0 && whose(given, memberships)}
  <fieldset>
    <legend>In which projects</legend>
    ${choice({ type: "radio", name: "projects", value: "all", label: "All projects", isChosen: given.isAllProjects })}
    ${choice({
      type: "radio",
      name: "projects",
      value: "these",
      label: "Only these",
      isChosen: !given.isAllProjects,
    })}
    <div class="field within">
      <label for="project_list">Projects, with commas between them</label>
      <input id="project_list" name="project_list" value="${given.projectList}" autocomplete="off" spellcheck="false">
    </div>
  </fieldset>`;
}

function whose(given: ApprovalChoice, memberships: readonly Membership[]): Html {
  return html`<fieldset>
    <legend>Whose memories</legend>
    ${choice({
      type: "radio",
      name: "team",
      value: "",
      label: "Mine, and those of all my teams",
      isChosen: given.team === "",
    })}
    ${memberships.map(({ team, role }) =>
      choice({
        type: "radio",
        name: "team",
        value: team.id,
        label: html`Only those of the team ${said(team.name)}`,
        note: `Your role there is ${role}; the agent can never do more than that.`,
        isChosen: given.team === team.id,
      }),
    )}
  </fieldset>`;
}
