import { leak } from "./leak.ts";
import { credentialOf, type Model } from "./model.ts";
import { allowedTags, readFault } from "./model-read.ts";
import { readRequest } from "./requests.ts";
import type { Stage } from "./stage.ts";
import type { Read } from "./step.ts";

/** A read, compared with what the model says and searched for words of what the credential may not see. */
export async function playRead(stage: Stage, model: Model, read: Read): Promise<string | null> {
  const told = await stage.ask(read.by, readRequest(stage, model, read));
  const isOfBin = "filter" in read && read.filter.status === "soft_deleted";
  const tags = allowedTags(model, credentialOf(model, read.by), isOfBin);
  return readFault(model, read, told) ?? leak(model, read.by, told, [...tags]);
}
