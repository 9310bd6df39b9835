import { createFileRoute, redirect } from "@tanstack/react-router";
import { OWN } from "../shell/space.ts";

export const Route = createFileRoute("/")({
  beforeLoad: () => {
    throw redirect({ to: "/$space", params: { space: OWN }, replace: true });
  },
});
