import { type Tab, Tabs } from "../../parts/tabs.tsx";
import { mayManage, type Space } from "../../shell/space.ts";

const OF_EVERYBODY: readonly Tab[] = [
  { label: "Health", to: "/$space/service" },
  { label: "Index", to: "/$space/service/indexes" },
  { label: "Export and import", to: "/$space/service/transfer" },
];

/** Who did what in a team, and its keys, concern its admins; what was done with one's own, oneself. */
const OF_ADMINS: readonly Tab[] = [
  { label: "Rate limits", to: "/$space/service/limits" },
  { label: "Audit log", to: "/$space/service/audit" },
];

export function ServiceTabs({ space }: { readonly space: Space }) {
  const tabs = mayManage(space) ? [...OF_EVERYBODY, ...OF_ADMINS] : OF_EVERYBODY;
  return <Tabs label="Service" space={space.key} tabs={tabs} />;
}
