import { z } from "zod";
import { content, liveStatuses, memoryScopes } from "./memory.ts";
import {
  bucket,
  instant,
  label,
  memoryType,
  projectId,
  publicId,
  storedPath,
  text,
  unitInterval,
} from "./primitives.ts";
import { storedMetadata, storedProvenance } from "./service-members.ts";

/** The number of the export format. It rises when an older reader could no longer restore a file exactly. */
export const EXPORT_FORMAT = 1;

/** Every status a row can hold; `expired` is computed and never stored. */
const storedStatus = z.enum([...liveStatuses, "archived", "superseded", "soft_deleted", "redacted"]);

/** A name of an owner: as callers type it, without control characters or blanks at the ends. */
export const ownerName = text(1, 128)
  .overwrite((name) => name.normalize("NFC").trim())
  .refine((name) => name !== "" && !/\p{Cc}/u.test(name), {
    error: "must be 1 to 128 characters, without line breaks or other control characters",
  });

/** An owner by what people call it: ids differ between databases. */
const owner = z.strictObject({ kind: z.enum(["user", "team"]), name: text(1, 1024) });
export type OwnerRef = z.infer<typeof owner>;

const words = text(1, 256).nullable().default(null);
const compared = label(256).nullable().default(null);
const moment = instant.nullable().default(null);

/** What a memory says, and can say otherwise in an earlier version. Defaults are those of storing a memory. */
const state = {
  project_id: projectId.nullable().default(null),
  path: storedPath,
  bucket: bucket.default("public"),
  memory_type: memoryType.default("semantic"),
  status: storedStatus.default("active"),
  restore_status: storedStatus
    .nullable()
    .default(null)
    .meta({ description: "What it was before a soft delete" }),
  content,
  semantic_key: compared,
  version: z.int().min(1).max(2_147_483_647).default(1),
  superseded_by: publicId.nullable().default(null),
  superseded_at: moment,
  importance: unitInterval.default(0.5),
  confidence: unitInterval.default(1),
  source: words,
  logic_path: text(1, 512).nullable().default(null),
  metadata: storedMetadata.default({}),
  provenance: storedProvenance.default({}),
  session_id: compared,
  agent_id: compared,
  agent_instance_id_hash: words,
  occurred_at: moment,
  updated_at: instant,
  expires_at: moment,
};

/** An earlier state of a memory. */
export const exportedVersion = z.strictObject({
  ...state,
  valid_to: instant,
  reason: text(1, 1024).nullable().default(null),
});
export type ExportedVersion = z.infer<typeof exportedVersion>;

/** One line of an export: a memory with all it takes to restore it exactly. Vectors are not part of it. */
export const exportedMemory = z
  .strictObject({
    memory_id: publicId,
    owner: owner
      .optional()
      .meta({ description: "A team's memories have the scope team. Required unless the import names one" }),
    author: owner
      .nullable()
      .default(null)
      .meta({ description: "Whose credential wrote it; null: the owner's" }),
    scope: z.enum(memoryScopes).optional().meta({ description: "Follows from the owner; may be left out" }),
    ...state,
    updated_at: instant.optional().meta({ description: "created_at unless given" }),
    created_at: instant,
    create_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits" })
      .nullable()
      .default(null)
      .meta({ description: "Of the request that made it, so that the same request again is known" }),
    versions: z
      .array(exportedVersion)
      .max(10_000)
      .default([])
      .meta({ description: "Earlier states, oldest first" }),
  })
  .superRefine((line, context) => {
    const isTeam = line.owner?.kind === "team";
    if (line.owner && line.scope && isTeam !== (line.scope === "team")) {
      context.addIssue({
        code: "custom",
        path: ["scope"],
        message: "must be team for a team's memory and private for a user's",
      });
    }
  })
  .meta({ id: "ExportedMemory" });
export type ExportedMemory = z.infer<typeof exportedMemory>;

/** The first line of an export. */
export const exportHeader = z.object({
  recollect_export: z.int(),
  exported_at: instant.optional(),
  version: text(1, 64).optional().meta({ description: "Of the service that wrote it" }),
  count: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "How many memories follow; fewer: the file was cut short" }),
});
export type ExportHeader = z.infer<typeof exportHeader>;
