import { createFileRoute } from "@tanstack/react-router";
import { RemindersPage } from "../../features/lists/reminders-page.tsx";

export const Route = createFileRoute("/$space/reminders")({ component: RemindersPage });
