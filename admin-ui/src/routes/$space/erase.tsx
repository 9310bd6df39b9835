import { createFileRoute } from "@tanstack/react-router";
import { ErasePage } from "../../features/erase/erase-page.tsx";

export const Route = createFileRoute("/$space/erase")({ component: ErasePage });
