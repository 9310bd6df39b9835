import { createFileRoute } from "@tanstack/react-router";
import { IndexPage } from "../../../features/service/index-page.tsx";

export const Route = createFileRoute("/$space/service/indexes")({ component: IndexPage });
