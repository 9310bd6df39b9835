import { z } from "zod";
import { SERVICE_ID } from "./service.ts";
import { SKILL_PATH, skillOperationName } from "./skill.ts";

const address = z.string().meta({ format: "uri" });

/** Paths of the discovery document: a standard one, and the service's own. */
export const DISCOVERY_PATHS = [
  "/.well-known/agent-discovery.json",
  `/.well-known/${SERVICE_ID}.json`,
] as const;

/** Path of the instructions for agents with nothing but HTTP. */
export const SKILL_DOCUMENT_PATH = "/SKILL.md";

/** Facts about a deployment for agents without a credential. */
export const discoveryDocument = z
  .object({
    service: z.literal(SERVICE_ID),
    name: z.string(),
    version: z.string(),
    base_url: address.meta({ description: "The address at which clients reach this deployment" }),
    mcp_required: z.literal(false),
    npm_cli_required: z.literal(false),
    standalone_skill: z
      .object({
        runtime_model: z.literal("standalone_skill"),
        mcp_required: z.literal(false),
        npm_cli_required: z.literal(false),
        operations_endpoint: z.literal(SKILL_PATH),
        operations_url: address,
        credential_type: z.literal("skill_token"),
        credential_headers: z.array(z.string()),
        operations: z.array(
          z
            .object({ operation: skillOperationName, scopes: z.array(z.string()) })
            .meta({ id: "DiscoveredOperation" }),
        ),
        skill_document: address,
        doctor: address,
        tokens: address.meta({ description: "Where a bound agent gets a skill token" }),
      })
      .meta({ id: "StandaloneSkill" }),
    registration: z
      .object({
        is_open: z
          .boolean()
          .meta({ description: "Whether an agent without a credential may register itself" }),
        register: address,
        status: address,
        bind_status: address,
        confirm: address,
        temporary_scopes: z.array(z.string()),
      })
      .meta({ id: "DiscoveredRegistration" }),
    rest: z.object({ base: address, openapi: address, docs: address }).meta({ id: "DiscoveredRest" }),
    mcp: z
      .object({
        endpoint: address,
        transport: z.literal("streamable_http"),
        oauth: z
          .boolean()
          .meta({ description: "Whether clients may sign in with OAuth as well as with keys" }),
      })
      .meta({ id: "DiscoveredMcp" }),
    scopes: z.record(z.string(), z.string()).meta({ description: "Every scope and what it allows" }),
    health: z.object({ live: address, ready: address }).meta({ id: "DiscoveredHealth" }),
  })
  .meta({ id: "AgentDiscovery" });
export type DiscoveryDocument = z.output<typeof discoveryDocument>;
