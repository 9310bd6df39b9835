import { describe, expect, it } from "vitest";
import { type BoundaryCaller, boundaryOf } from "../../../src/core/memory/boundary.ts";

const by = (agentId: string | null, instanceHash: string | null = null) => ({ agentId, instanceHash });

describe("boundaryOf", () => {
  it.each([
    [by("a", "1"), by("a", "1"), "self"],
    [by("a"), by("a"), "self"],
    [by("a", "1"), by("a", "2"), "same_agent_other_instance"],
    [by("a", "1"), by("a"), "same_agent_other_instance"],
    [by("a", "1"), by("b", "1"), "other_agent"],
    [by(null), by("b"), "other_agent"],
    [by("a"), by(null), "unattributed"],
    [by(null), by(null), "unattributed"],
  ])("of caller %j and memory %j is %s", (caller, memory, relation) => {
    const boundary = boundaryOf({ ...caller, identitySource: "claim" }, memory);
    expect(boundary).toMatchObject({
      relation,
      ownership: relation,
      current_agent_id: caller.agentId,
      memory_agent_id: memory.agentId,
      boundary_authority: "attribution_only",
    });
    expect(boundary.explanation).not.toBe("");
  });

  it.each<[BoundaryCaller["identitySource"], string]>([
    ["token", "token_bound"],
    ["claim", "client_asserted"],
    ["none", "client_asserted"],
  ])("trusts an identity from %s as %s", (identitySource, trust) => {
    expect(boundaryOf({ ...by("a"), identitySource }, by("a")).current_agent_trust).toBe(trust);
  });
});
