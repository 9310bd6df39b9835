import { z } from "zod";
import { secret } from "./secret-settings.ts";

/** Settings that every provider behind a network has: its address, its model, and what it is paid with. */

/** Below it the paths of its API. */
export const baseUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((url) => new URL(url).username === "" && new URL(url).password === "", {
    error: "must hold no credentials",
  })
  .refine((url) => new URL(url).search === "" && new URL(url).hash === "", {
    error: "must be without a query and a fragment",
  });

export const model = z.string().min(1).max(256);

/** Characters that a header can carry. */
export const apiKey = secret(z.string().regex(/^[\x21-\x7e]+$/));
