import { z } from "zod";
import { doctorAnswer, doctorRequest } from "./doctor.ts";
import { operation, spaceOperation } from "./operation.ts";
import { SKILL_PATH, skillCatalogue } from "./skill.ts";

export const listSkillOperations = operation({
  name: "listSkillOperations",
  summary: "List the skill runtime's operations, and which of them this token may call",
  description: "Each operation comes with the JSON Schema of its input, its scope and an example.",
  input: z.object({}),
  output: skillCatalogue,
  errors: [],
  effect: "read",
  scopes: [],
  rate: null,
  http: { method: "GET", path: SKILL_PATH, status: 200 },
});

export const doctor = spaceOperation({
  name: "doctor",
  summary: "Diagnose this credential, its scopes, the clock, the service and its index, in plain words",
  description: "Changes nothing, and shows nothing that is stored. An invalid credential gets 401.",
  input: doctorRequest,
  output: doctorAnswer,
  errors: [],
  effect: "read",
  scopes: [],
  rate: null,
  http: { method: "GET", path: "/v1/doctor", status: 200 },
});
