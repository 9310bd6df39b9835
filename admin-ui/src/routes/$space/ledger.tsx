import { createFileRoute } from "@tanstack/react-router";
import { LedgerPage } from "../../features/lists/ledger-page.tsx";

export const Route = createFileRoute("/$space/ledger")({ component: LedgerPage });
