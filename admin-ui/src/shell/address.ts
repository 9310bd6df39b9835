/** Schemas of addresses. They are built with zod/mini, because the whole of zod is 13 kB larger. */
import * as z from "zod/mini";

/** A parameter that counts as left out if its value is not allowed. */
export const optional = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);

/** The moment that a page shows instead of now. */
export const asOf = optional(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))));
