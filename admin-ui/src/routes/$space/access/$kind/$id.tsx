import { createFileRoute } from "@tanstack/react-router";
import { DetailPage } from "../../../../features/access/detail-page.tsx";

export const Route = createFileRoute("/$space/access/$kind/$id")({ component: DetailPage });
