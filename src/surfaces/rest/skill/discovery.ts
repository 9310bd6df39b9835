import { TEMPORARY_SCOPES } from "../../../contract/agent.ts";
import { DISCOVERY_PATHS, type DiscoveryDocument, SKILL_DOCUMENT_PATH } from "../../../contract/discovery.ts";
import type { Operation } from "../../../contract/operation.ts";
import { operations, visitorOperations } from "../../../contract/operations.ts";
import { scopes } from "../../../contract/scope.ts";
import { SERVICE_ID, SERVICE_NAME, SERVICE_VERSION } from "../../../contract/service.ts";
import { SKILL_PATH, skillOperationNames } from "../../../contract/skill.ts";
import { operationBehind } from "../../../core/skill/skill-call.ts";
import { lazy } from "../../http/lazy.ts";
import { type Answer, json } from "../../http/pipeline.ts";
import type { Endpoint } from "../endpoint.ts";
import { skillDocument } from "./skill-document.ts";

/** Facts about this deployment that are not in the contract. */
export interface Deployment {
  readonly publicUrl: string;
  /** Whether agents without a credential may register themselves. */
  readonly selfRegistration: boolean;
  /** Whether MCP clients can authenticate with OAuth. */
  readonly offersOAuth: boolean;
}

/** Endpoints for an agent that knows only the service's address. None needs a credential. */
export function discoveryEndpoints(deployment: Deployment): Endpoint[] {
  const document = lazy(() => discoveryOf(deployment));
  const skill = lazy(() => skillDocument(document()));
  return [
    ...DISCOVERY_PATHS.map((path) => ({
      path,
      methods: { GET: () => json(200, document(), { "cache-control": "no-cache" }) },
    })),
    { path: SKILL_DOCUMENT_PATH, methods: { GET: () => markdown(skill()) } },
  ];
}

function markdown(body: string): Answer {
  return {
    status: 200,
    headers: { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-cache" },
    body,
  };
}

function discoveryOf({ publicUrl, selfRegistration, offersOAuth }: Deployment): DiscoveryDocument {
  const at = (path: string) => publicUrl.replace(/\/+$/, "") + path;
  return {
    service: SERVICE_ID,
    name: SERVICE_NAME,
    version: SERVICE_VERSION,
    base_url: at(""),
    mcp_required: false,
    npm_cli_required: false,
    standalone_skill: {
      runtime_model: "standalone_skill",
      mcp_required: false,
      npm_cli_required: false,
      operations_endpoint: SKILL_PATH,
      operations_url: at(SKILL_PATH),
      credential_type: "skill_token",
      credential_headers: ["X-API-Key: TOKEN", "Authorization: Bearer TOKEN"],
      operations: skillOperationNames.map((operation) => ({
        operation,
        scopes: [...(operations[operationBehind(operation)] as unknown as Operation).scopes],
      })),
      skill_document: at(SKILL_DOCUMENT_PATH),
      doctor: at(operations.doctor.http.path),
      tokens: at(operations.issueSkillToken.http.path),
    },
    registration: {
      is_open: selfRegistration,
      register: at(visitorOperations.registerAgent.http.path),
      status: at(operations.getAgentStatus.http.path),
      bind_status: at(operations.getBindStatus.http.path),
      confirm: at(operations.confirmBinding.http.path),
      temporary_scopes: [...TEMPORARY_SCOPES],
    },
    rest: { base: at("/v1"), openapi: at("/openapi.json"), docs: at("/docs") },
    mcp: { endpoint: at("/mcp"), transport: "streamable_http", oauth: offersOAuth },
    scopes,
    health: { live: at("/healthz"), ready: at("/readyz") },
  };
}
