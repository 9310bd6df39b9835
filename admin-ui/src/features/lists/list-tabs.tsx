import { type Tab, Tabs } from "../../parts/tabs.tsx";

const TABS: readonly Tab[] = [
  { label: "Reminders", to: "/$space/reminders" },
  { label: "Ledger", to: "/$space/ledger" },
];

export function ListTabs({ space }: { readonly space: string }) {
  return <Tabs label="Lists" space={space} tabs={TABS} />;
}
