import { createFileRoute } from "@tanstack/react-router";
import { HealthPage } from "../../../features/service/health-page.tsx";

export const Route = createFileRoute("/$space/service/")({ component: HealthPage });
