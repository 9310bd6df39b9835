import { credentialOf, type Model, reachedOwners } from "./model.ts";
import { allowedTags, tagsIn } from "./model-read.ts";
import type { Write } from "./step.ts";
import type { Told } from "./told.ts";

/** The words an answer to a write may hold: those of what the credential sees, and those it sent. */
export function mayHold(model: Model, write: Write): string[] {
  return [...allowedTags(model, credentialOf(model, write.by), false), ...tagsIn(write)];
}

/** No answer may hold a word of what the credential may not see, nor the name of an owner it does not reach. */
export function leak(model: Model, by: string, { body }: Told, tags: readonly string[]): string | null {
  const text = JSON.stringify(body);
  const allowed = new Set(tags);
  const foreign = tagsIn(body).filter((tag) => !allowed.has(tag));
  if (foreign.length > 0) return `an answer to ${by} holds ${foreign.join(", ")}: ${text.slice(0, 600)}`;
  const owners = reachedOwners(model, credentialOf(model, by)).map((name) => `"${name}"`);
  const strangers = (text.match(OWNER) ?? []).filter((name) => !owners.includes(name));
  return strangers.length > 0 ? `an answer to ${by} names ${strangers.join(", ")}` : null;
}

/** An owner as the answers name it, by the model's name for it. */
const OWNER = /"[uta]\d+"/g;
