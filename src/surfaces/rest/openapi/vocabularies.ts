import { agentStatuses } from "../../../contract/agent.ts";
import { tokenKind } from "../../../contract/credential.ts";
import { errorCodes } from "../../../contract/error.ts";
import { forgetModes } from "../../../contract/lifecycle.ts";
import { maintenanceActions, maintenanceRun } from "../../../contract/maintenance.ts";
import {
  authorities,
  boundary,
  memoryScopes,
  memoryStatuses,
  settableStatuses,
  storeAnswer,
} from "../../../contract/memory.ts";
import {
  actorTrusts,
  decisionStatuses,
  impactLevels,
  sourceStatuses,
  todoPriorities,
  todoStatuses,
} from "../../../contract/project.ts";
import { contextDomains } from "../../../contract/project-context.ts";
import { searchRequest } from "../../../contract/recall.ts";
import { scopes } from "../../../contract/scope.ts";

/** The enumerations that several members share, by the name that a generated client knows each by. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  ActorTrust: actorTrusts,
  AgentBindingStatus: agentStatuses,
  Authority: authorities,
  BoundaryRelation: boundary.shape.relation.options,
  EmbeddingSource: storeAnswer.shape.embedding.unwrap().options,
  ErrorCode: Object.keys(errorCodes),
  ForgetMode: forgetModes,
  MaintenanceAction: maintenanceActions,
  MaintenanceRunStatus: maintenanceRun.shape.status.options,
  MemoryScope: memoryScopes,
  MemorySettableStatus: settableStatuses,
  MemoryStatus: memoryStatuses,
  ProjectContextDomain: contextDomains,
  ProjectDecisionStatus: decisionStatuses,
  ProjectImpactLevel: impactLevels,
  ProjectSourceStatus: sourceStatuses,
  ProjectTodoPriority: todoPriorities,
  ProjectTodoStatus: todoStatuses,
  Retrievers: searchRequest.shape.retrievers.unwrap().options,
  Scope: Object.keys(scopes),
  Sessions: searchRequest.shape.sessions.unwrap().options,
  TokenKind: tokenKind.options,
};

const nameByValues = new Map(Object.entries(vocabularies).map(([name, values]) => [values.join(" "), name]));

/** The name of an enumeration that several members share; undefined where it is one member's own. */
export function vocabularyOf(values: readonly unknown[]): string | undefined {
  return nameByValues.get(values.join(" "));
}
