/** Icons, drawn on 24 by 24. They are beside words and say nothing by themselves: hidden from those who hear the page. */
const PATHS = {
  home: "M3 11l9-8 9 8M5 9.5V21h5v-6h4v6h5V9.5",
  memories:
    "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v6c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12v6c0 1.7 3.6 3 8 3s8-1.3 8-3v-6",
  knowledge: "M4 5c3-1 6-.5 8 1.5 2-2 5-2.5 8-1.5v13c-3-1-6-.5-8 1.5-2-2-5-2.5-8-1.5zM12 6.5v13",
  lab: "M9 3h6M10 3v6L4.5 18.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 14h9",
  team: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6.5 7-6.5s7 2.5 7 6.5M16 3.5a4 4 0 0 1 0 7M18.5 15c2.2.9 3.5 3 3.5 6",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5",
  service: "M3 12h4l2.5-7 5 14 2.5-7h4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.8-4.8",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  good: "M5 12.5l4.5 4.5L19 7.5",
  warn: "M12 4L2.5 20h19zM12 10v4M12 17.2v.1",
  bad: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5V13M12 16.2v.1",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  archive: "M4 4h16v5H4zM6 9v11h12V9M10 13h4",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  replaced: "M4 8h13l-3.5-4M20 16H7l3.5 4",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  restore: "M4 10h10a6 6 0 0 1 0 12h-3M4 10l5-5M4 10l5 5",
  sun: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  plus: "M12 5v14M5 12h14",
  agent: "M5 9h14v10H5zM12 9V5M12 5h.01M9 13.5v1M15 13.5v1M2 13v3M22 13v3",
  key: "M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 12.3L20 3.5M16.5 7l3 3M14 9.5l2 2",
  out: "M10 4H5v16h5M9 12h11M16 8l4 4-4 4",
  projects: "M4 4h6v16H4zM14 4h6v9h-6z",
  upkeep:
    "M14.5 6.5a4 4 0 0 1 5-3.9l-2.4 2.6.5 1.9 1.9.5 2.4-2.5a4 4 0 0 1-5.4 4.7L8 18.5a2.1 2.1 0 0 1-3-3l8.7-8.5",
  waits: "M6 3h12M6 21h12M7 3c0 5 10 6 10 9s-10 4-10 9M17 3c0 5-10 6-10 9s10 4 10 9",
  onward: "M9 5l7 7-7 7",
  filter: "M3 5h18l-7 8v6l-4 2v-8z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: "none" }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
