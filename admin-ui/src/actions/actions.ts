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
    describes: "What is remembered, and how do I correct it?",
    isShown: () => true,
  },
  {
    label: "Knowledge",
    icon: "knowledge",
    to: "/$space/knowledge",
    describes: "What knowledge is kept, for those who may see it?",
    isShown: () => true,
  },
  {
    label: "Recall lab",
    icon: "lab",
    to: "/$space/lab",
    describes: "Why was a memory recalled, or not?",
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
    describes: "What can be tidied, and what has been?",
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
    describes: "Who is in the team, and in which role?",
    isShown: () => true,
  },
  {
    label: "Agents",
    icon: "agent",
    to: "/$space/agents",
    describes: "Which agents have access, and to what?",
    isShown: () => true,
  },
  {
    label: "Credentials",
    icon: "key",
    to: "/$space/credentials",
    describes: "Which credentials act for me or the team?",
    isShown: () => true,
  },
  {
    label: "Service",
    icon: "service",
    to: "/$space/service",
    describes: "Is the service healthy, and who did what?",
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
  ["?", "Show these shortcuts"],
  ["↑ ↓", "Move in a list; Home, End and Page too"],
  ["J K", "Next and previous memory, also while one is open"],
  ["X", "Select the focused memory"],
  ["Enter", "Open the focused item"],
  ["Esc", "Close the panel"],
];
