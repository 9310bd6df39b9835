/** What can be done from anywhere, as values: the navigation, the palette and the list of keys are made from these. */
import type { IconName } from "../parts/icons.tsx";
import { mayManage, type Space } from "../shell/space.ts";

/** The parts of the navigation, in their order. Home stands before all of them. */
export const GROUPS = ["Memory", "Work", "Access", "System"] as const;

export interface Page {
  readonly label: string;
  readonly icon: IconName;
  /** Below /admin/<space>. */
  readonly to:
    | "/$space"
    | "/$space/memories"
    | "/$space/knowledge"
    | "/$space/recalls"
    | "/$space/lab"
    | "/$space/projects"
    | "/$space/maintenance"
    | "/$space/reminders"
    | "/$space/ledger"
    | "/$space/access"
    | "/$space/end-users"
    | "/$space/service"
    | "/$space/service/audit"
    | "/$space/service/indexes"
    | "/$space/service/limits"
    | "/$space/service/transfer"
    | "/$space/erase"
    | "/$space/account";
  /** null: outside the groups; Home is above them, the account below. */
  readonly group: (typeof GROUPS)[number] | null;
  readonly describes: string;
  readonly isShown: (space: Space) => boolean;
  /** True if addresses below it belong to other pages. */
  readonly isExact?: boolean;
}

const forEverybody = () => true;

/** The pages, in the order of the navigation. A new page is one more entry here. */
export const pages: readonly Page[] = [
  {
    label: "Home",
    icon: "home",
    to: "/$space",
    group: null,
    describes: "Is anything wrong, and what do I do?",
    isShown: forEverybody,
    isExact: true,
  },
  {
    label: "Memories",
    icon: "memories",
    to: "/$space/memories",
    group: "Memory",
    describes: "What is remembered, and how do I correct it?",
    isShown: forEverybody,
  },
  {
    label: "Recall log",
    icon: "log",
    to: "/$space/recalls",
    group: "Memory",
    describes: "What was asked, and what came?",
    isShown: mayManage,
  },
  {
    label: "Recall lab",
    icon: "lab",
    to: "/$space/lab",
    group: "Memory",
    describes: "Why was a memory recalled, or not?",
    isShown: forEverybody,
  },
  {
    label: "Knowledge",
    icon: "knowledge",
    to: "/$space/knowledge",
    group: "Memory",
    describes: "What knowledge is kept, for those who may see it?",
    isShown: forEverybody,
  },
  {
    label: "Projects",
    icon: "projects",
    to: "/$space/projects",
    group: "Work",
    describes: "What is open, and what was decided?",
    isShown: forEverybody,
  },
  {
    label: "Reminders",
    icon: "bell",
    to: "/$space/reminders",
    group: "Work",
    describes: "What is due?",
    isShown: forEverybody,
  },
  {
    label: "Ledger",
    icon: "wallet",
    to: "/$space/ledger",
    group: "Work",
    describes: "What was spent?",
    isShown: forEverybody,
  },
  {
    label: "People and agents",
    icon: "team",
    to: "/$space/access",
    group: "Access",
    describes: "Who has access, and to what?",
    isShown: forEverybody,
  },
  {
    label: "End users",
    icon: "users",
    to: "/$space/end-users",
    group: "Access",
    describes: "Whom do applications remember, and what of them?",
    isShown: mayManage,
  },
  {
    label: "Audit log",
    icon: "history",
    to: "/$space/service/audit",
    group: "Access",
    describes: "Who did what, and to what?",
    isShown: mayManage,
  },
  {
    label: "Maintenance",
    icon: "upkeep",
    to: "/$space/maintenance",
    group: "System",
    describes: "What can be tidied, and what has been?",
    isShown: forEverybody,
  },
  {
    label: "Health",
    icon: "service",
    to: "/$space/service",
    group: "System",
    describes: "Is the service healthy, and if not, why?",
    isShown: forEverybody,
    isExact: true,
  },
  {
    label: "Rate limits",
    icon: "waits",
    to: "/$space/service/limits",
    group: "System",
    describes: "How much of its limit has each credential used?",
    isShown: mayManage,
  },
  {
    label: "Search index",
    icon: "layers",
    to: "/$space/service/indexes",
    group: "System",
    describes: "What does recall search, and is it complete?",
    isShown: forEverybody,
  },
  {
    label: "Export and import",
    icon: "transfer",
    to: "/$space/service/transfer",
    group: "System",
    describes: "How do I take memories with me, or bring some in?",
    isShown: forEverybody,
  },
  {
    label: "Erase",
    icon: "trash",
    to: "/$space/erase",
    group: "System",
    describes: "How do I erase everything about a person or subject?",
    isShown: forEverybody,
  },
  {
    label: "Account",
    icon: "account",
    to: "/$space/account",
    group: null,
    describes: "Where am I signed in?",
    isShown: forEverybody,
  },
];

/** The keys that work everywhere, as the help shows them. */
export const keys: readonly (readonly [string, string])[] = [
  ["/", "Go to the search field of the page"],
  ["Ctrl K", "Search or jump to a page, a workspace or a memory"],
  ["?", "Show these shortcuts"],
  ["↑ ↓", "Move in a list; Home, End and Page too"],
  ["J K", "Next and previous memory, also while one is open"],
  ["X", "Select the focused memory"],
  ["Enter", "Open the focused item"],
  ["Esc", "Close the panel"],
];
