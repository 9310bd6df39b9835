import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "../protocol/server.ts";
import type { Outcome } from "../protocol/suite.ts";
import { outcomeOf, placeOf, runAgent } from "./coding-agent.ts";
import { conversationAbout, rememberedBy } from "./conversation.ts";
import { blocksOf, documented } from "./documented.ts";
import type { Tools } from "./tools.ts";

/** `codex exec` with the documented configuration, and a provider that is the scripted model. */
export async function codex(tools: Tools, server: Server, folder: string): Promise<Outcome> {
  const place = placeOf(folder);
  const conversation = conversationAbout("Ciconia");
  const ran = await runAgent(place, conversation.turns, (model) => {
    mkdirSync(join(place.home, ".codex"), { recursive: true });
    writeFileSync(join(place.home, ".codex/config.toml"), configuration(model.url, server.url));
    return {
      command: [tools.codex, "exec", "--skip-git-repo-check", "--json", conversation.prompt],
      env: { SCRIPTED_KEY: "sk-scripted", RECOLLECT_API_KEY: server.key },
    };
  });
  return outcomeOf(ran, await rememberedBy("codex", server, conversation, ran));
}

function configuration(modelUrl: string, serverUrl: string): string {
  const [, approval = ""] = blocksOf("codex", "toml");
  return [
    'model = "scripted"',
    'model_provider = "scripted"',
    "[model_providers.scripted]",
    'name = "A scripted model"',
    `base_url = "${modelUrl}/v1"`,
    'env_key = "SCRIPTED_KEY"',
    'wire_api = "responses"',
    documented("codex", "~/.codex/config.toml", serverUrl),
    approval,
    approval.replace("recall_context", "remember"),
  ].join("\n");
}
