import { createFileRoute } from "@tanstack/react-router";
import { memoriesSearch } from "../../features/memories/address.ts";
import { MemoriesPage } from "../../features/memories/memories-page.tsx";

export const Route = createFileRoute("/$space/memories")({
  validateSearch: (given) => memoriesSearch.parse(given),
  component: MemoriesPage,
});
