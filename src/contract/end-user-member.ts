import { z } from "zod";
import { naming, uuid } from "./primitives.ts";

/** The application's own id of one of its end users. */
export const userId = naming(
  z.string().regex(/^[A-Za-z0-9._:@+-]{1,128}$/, {
    error: "must be 1 to 128 of A-Z a-z 0-9 . _ : @ + -",
    abort: true,
  }),
).meta({ examples: ["ada"] });

/** The member by which a request names the end user in whose space it takes place. */
export const endUserMember = {
  user_id: userId.nullish().meta({
    description:
      "The end user of the application, by the application's own id; also as X-User-Id. Needs the scope users:act. Default: the application's own space",
  }),
};

/** The members by which a person in the admin UI reads in the space of an end user. */
export const lookedIntoMembers = {
  ...endUserMember,
  application: uuid.nullish().meta({
    description:
      "With user_id: the team whose application it is, of which the user is an owner or admin. Default: the user's own application",
  }),
};

/** The member by which a reading request asks for the application's own memories too. */
export const sharedMember = {
  include_shared: z.boolean().default(false).meta({
    description:
      "For an end user: also the application's own memories, read-only, each marked with shared. Without an end user it changes nothing",
  }),
};

/** The mark of a memory that an end user sees because it is the application's own. */
export const markedShared = {
  shared: z
    .literal(true)
    .optional()
    .meta({ description: "One of the application's own memories, which an end user only reads" }),
};
