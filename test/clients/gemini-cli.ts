import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "../protocol/server.ts";
import type { Outcome } from "../protocol/suite.ts";
import { outcomeOf, placeOf, runAgent } from "./coding-agent.ts";
import { conversationAbout, rememberedBy } from "./conversation.ts";
import { documented } from "./documented.ts";
import type { Tools } from "./tools.ts";

/** `gemini -p` with the documented configuration. */
export async function geminiCli(tools: Tools, server: Server, folder: string): Promise<Outcome> {
  const place = placeOf(folder);
  const conversation = conversationAbout("Platalea");
  mkdirSync(join(place.home, ".gemini"), { recursive: true });
  const settings = JSON.parse(documented("gemini-cli", "~/.gemini/settings.json", server.url));
  // Nobody is there to choose how it signs in to its model.
  const security = { auth: { selectedType: "gemini-api-key" } };
  writeFileSync(join(place.home, ".gemini/settings.json"), JSON.stringify({ ...settings, security }));
  const ran = await runAgent(place, conversation.turns, (model) => ({
    command: [
      tools.gemini,
      "--skip-trust",
      "--approval-mode",
      "yolo",
      "-m",
      "gemini-2.5-flash",
      "-p",
      conversation.prompt,
    ],
    env: {
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_API_KEY: "scripted",
      RECOLLECT_API_KEY: server.key,
      GEMINI_TELEMETRY_ENABLED: "false",
    },
  }));
  return outcomeOf(ran, await rememberedBy("gemini-cli", server, conversation, ran));
}
