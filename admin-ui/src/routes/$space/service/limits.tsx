import { createFileRoute } from "@tanstack/react-router";
import { LimitsPage } from "../../../features/service/limits-page.tsx";

export const Route = createFileRoute("/$space/service/limits")({ component: LimitsPage });
