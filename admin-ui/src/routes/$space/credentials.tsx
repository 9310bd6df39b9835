import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CredentialsPage } from "../../features/credentials/credentials-page.tsx";
import { optional } from "../../shell/address.ts";

/** Which kind is shown, and whether what has ended is. Never a secret: it is in no address. */
const search = z.object({
  kind: optional(z.enum(["api_key", "oauth", "agent_formal", "skill", "session"])),
  ended: optional(z.literal("shown")),
});

export const Route = createFileRoute("/$space/credentials")({
  validateSearch: (given) => search.parse(given),
  component: CredentialsPage,
});
