import { z } from "zod";
import { scopeNameAmong, skillTokenRequest } from "./agent.ts";
import { userId } from "./end-user-member.ts";
import { erasurePlan } from "./erasure.ts";
import { text, time, uuid } from "./primitives.ts";
import { endUserScopes, type Scope, scopes } from "./scope.ts";

/** How long a token of an end user is valid: the default, and the maximum. */
export const END_USER_TOKEN_SECONDS = 3600;
export const END_USER_TOKEN_SECONDS_MAX = 90 * 24 * 3600;

/** The path parameter of the operations on one end user. */
export const ofEndUser = {
  user_id: userId.meta({ description: "The end user, by the application's own id" }),
};

export const ofOneEndUser = z.object(ofEndUser);

/** Lets a person in the admin UI manage the end users of a team's application. */
export const ofApplication = {
  team_id: uuid.nullish().meta({ description: "The team whose application it is. Default: the user's own" }),
};

const shownId = z.string().meta({ examples: ["ada"] });

export const endUser = z
  .object({
    user_id: shownId,
    memories: z.int().meta({ description: "Its memories, without todos, decisions and deleted ones" }),
    first_seen: time,
    last_active: time.meta({ description: "When a request last named it, accurate to the minute" }),
  })
  .meta({ id: "EndUser" });

export const endUsersRequest = z.object({
  limit: z.int().min(1).max(1000).default(100),
  cursor: userId.nullish().meta({ description: "next_cursor of the page before; goes on where it ended" }),
  prefix: text(1, 128).nullish().meta({ description: "Only end users whose id begins with this text" }),
});

export const endUsers = z
  .object({ users: z.array(endUser), next_cursor: z.string().nullable() })
  .meta({ id: "EndUserList" });

export const endUserTokenRequest = z
  .object({
    ...ofEndUser,
    name: skillTokenRequest.shape.name,
    scopes: z
      .array(scopeNameAmong(endUserScopes))
      .min(1)
      .max(32)
      .nullish()
      .meta({ description: "Default: the scopes of the requesting key that make sense for one end user" }),
    projects: skillTokenRequest.shape.projects,
    path_prefix: skillTokenRequest.shape.path_prefix,
    buckets: skillTokenRequest.shape.buckets,
    expires_in_seconds: z
      .int()
      .min(60)
      .max(END_USER_TOKEN_SECONDS_MAX)
      .default(END_USER_TOKEN_SECONDS)
      .meta({ description: "An hour by default, 90 days at most, never longer than the requesting key" }),
  })
  .meta({ id: "EndUserTokenRequest" });

export const endUserToken = z
  .object({
    id: uuid,
    token: z.string().meta({ description: "Shown only this once" }),
    user_id: shownId,
    scopes: z.array(z.enum(Object.keys(scopes) as [Scope, ...Scope[]])),
    projects: z.array(z.string()).nullable(),
    path_prefix: z.string().nullable(),
    buckets: z.array(z.string()).nullable(),
    expires_at: time,
  })
  .meta({ id: "EndUserToken" });

export const endUserErasureRequest = z.object({
  ...ofEndUser,
  dry_run: z.boolean().default(true).meta({ description: "Only count and return the plan; nothing changes" }),
  plan_hash: text(1, 128).nullish().meta({ description: "The plan_hash of the dry run. Required to erase" }),
});

export const endUserErasure = erasurePlan;

export const endUserExportRequest = z.object({
  ...ofEndUser,
  limit: z.int().min(1).max(500).default(100).meta({ description: "The most memories of a page" }),
  cursor: uuid.nullish().meta({ description: "next_cursor or X-Recollect-Next-Cursor of the page before" }),
});

export const endUserExport = z
  .object({
    lines: z.array(
      z.record(z.string(), z.unknown()).meta({
        id: "ExportLine",
        description: "As `recollect export` writes it and `recollect import` reads it",
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "EndUserExport" });
