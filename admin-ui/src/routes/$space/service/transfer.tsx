import { createFileRoute } from "@tanstack/react-router";
import { TransferPage } from "../../../features/service/transfer-page.tsx";

export const Route = createFileRoute("/$space/service/transfer")({ component: TransferPage });
