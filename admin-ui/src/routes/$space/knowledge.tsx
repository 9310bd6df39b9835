import { createFileRoute } from "@tanstack/react-router";
import { memoriesSearch } from "../../features/memories/address.ts";
import { KnowledgePage } from "../../features/memories/memories-page.tsx";

export const Route = createFileRoute("/$space/knowledge")({
  validateSearch: (given) => memoriesSearch.parse(given),
  component: KnowledgePage,
});
