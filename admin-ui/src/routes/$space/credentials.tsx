import { createFileRoute } from "@tanstack/react-router";
import { z } from "zod";
import { CredentialsPage } from "../../features/credentials/credentials-page.tsx";

/** Which kind is shown, and whether what has ended is. Never a secret: it is in no address. */
const search = z.object({
  kind: z.enum(["api_key", "oauth", "agent_formal", "skill", "session"]).optional().catch(undefined),
  ended: z.literal("shown").optional().catch(undefined),
});

export const Route = createFileRoute("/$space/credentials")({
  validateSearch: (given) => search.parse(given),
  component: CredentialsPage,
});
