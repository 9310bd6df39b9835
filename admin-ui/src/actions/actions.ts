/** What can be done from anywhere, as values: the navigation, the palette and the list of keys are made from these. */
import type { IconName } from "../parts/icons.tsx";
import type { Space } from "../shell/space.ts";

export interface Page {
  readonly label: string;
  readonly icon: IconName;
  /** Below /admin/<space>. */
  readonly to:
    | "/$space"
    | "/$space/memories"
    | "/$space/knowledge"
    | "/$space/lab"
    | "/$space/projects"
    | "/$space/maintenance"
    | "/$space/reminders"
    | "/$space/team"
    | "/$space/agents"
    | "/$space/credentials"
    | "/$space/service"
    | "/$space/account";
  readonly describes: string;
  readonly isShown: (space: Space) => boolean;
}

/** The pages, in the order of the navigation. A new page is one more entry here. */
export const pages: readonly Page[] = [
  {
    label: "Home",
    icon: "home",
    to: "/$space",
    describes: "Is anything wrong, and what do I do?",
    isShown: () => true,
  },
  {
    label: "Memories",
    icon: "memories",
    to: "/$space/memories",
    describes: "What is remembered, and how do I mend it?",
    isShown: () => true,
  },
  {
    label: "Knowledge",
    icon: "knowledge",
    to: "/$space/knowledge",
    describes: "What lasts, for those who may see it?",
    isShown: () => true,
  },
  {
    label: "Recall lab",
    icon: "lab",
    to: "/$space/lab",
    describes: "Why did it, or did it not, come back?",
    isShown: () => true,
  },
  {
    label: "Projects",
    icon: "projects",
    to: "/$space/projects",
    describes: "What is open, and what was decided?",
    isShown: () => true,
  },
  {
    label: "Maintenance",
    icon: "upkeep",
    to: "/$space/maintenance",
    describes: "What may be tidied, and what was?",
    isShown: () => true,
  },
  {
    label: "Reminders and ledger",
    icon: "clock",
    to: "/$space/reminders",
    describes: "What is due, and what was spent?",
    isShown: () => true,
  },
  {
    label: "Team",
    icon: "team",
    to: "/$space/team",
    describes: "Who is in it, and as what?",
    isShown: () => true,
  },
  {
    label: "Agents",
    icon: "agent",
    to: "/$space/agents",
    describes: "Who may come in, and to what?",
    isShown: () => true,
  },
  {
    label: "Credentials",
    icon: "key",
    to: "/$space/credentials",
    describes: "What acts for me, and for the team?",
    isShown: () => true,
  },
  {
    label: "Service",
    icon: "service",
    to: "/$space/service",
    describes: "Is it well, what does it keep, and who did what?",
    isShown: () => true,
  },
  {
    label: "Account",
    icon: "account",
    to: "/$space/account",
    describes: "Where am I signed in?",
    isShown: () => true,
  },
];

/** The keys that work everywhere, as the help shows them. */
export const keys: readonly (readonly [string, string])[] = [
  ["/", "Go to the search field of the page"],
  ["Ctrl K", "Open the command palette"],
  ["?", "Show these keys"],
  ["↑ ↓", "Move in a list; Home, End and Page too"],
  ["J K", "Next and previous memory, also while one is open"],
  ["X", "Choose the memory that is focused"],
  ["Enter", "Open what is focused"],
  ["Esc", "Close the panel"],
];
