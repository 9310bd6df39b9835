import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** White reads on the last two shades in both schemes; the others are tints. */
const accent: MantineColorsTuple = [
  "#eef6fb",
  "#d9eaf5",
  "#b5d6ea",
  "#8cc0df",
  "#66abd3",
  "#4597c5",
  "#2f84b3",
  "#1f769f",
  "#116a9d",
  "#0b5c8a",
];
const bad: MantineColorsTuple = [
  "#fdeceb",
  "#f9d5d4",
  "#f0a9a9",
  "#e87b7d",
  "#e05356",
  "#d23a40",
  "#c32c35",
  "#b3242f",
  "#b3242f",
  "#a11d2a",
];
/** The scale from which Mantine takes the surfaces of the dark scheme. */
const dark: MantineColorsTuple = [
  "#eceef0",
  "#c9ced3",
  "#aeb6bf",
  "#77818c",
  "#39414a",
  "#262c31",
  "#1b1f23",
  "#14171a",
  "#0e1113",
  "#0b0d0f",
];

export const theme = createTheme({
  colors: { accent, bad, dark },
  primaryColor: "accent",
  primaryShade: { light: 9, dark: 8 },
  fontFamily: "var(--text)",
  fontFamilyMonospace: "var(--mono)",
  headings: {
    fontFamily: "var(--text)",
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.75rem" },
      h2: { fontSize: "0.875rem", lineHeight: "1.375rem" },
      h3: { fontSize: "0.8125rem", lineHeight: "1.25rem" },
    },
  },
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.8125rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.334", sm: "1.54", md: "1.54", lg: "1.5", xl: "1.4" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  defaultRadius: "6px",
  cursorType: "pointer",
  respectReducedMotion: true,
  // In a dialog a <header> counts as the page's banner, which there is one of already.
  components: { ModalHeader: { defaultProps: { component: "div" } } },
});

/** Mantine's own names for what the tokens are. */
const fromTokens = {
  "--mantine-color-body": "var(--paper)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--soft)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-default": "var(--card)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--field)",
  "--mantine-color-error": "var(--bad-ink)",
  "--mantine-color-accent-text": "var(--accent)",
  "--mantine-color-accent-light-color": "var(--accent)",
  "--mantine-color-accent-outline": "var(--accent)",
  "--mantine-color-bad-text": "var(--bad-ink)",
  "--mantine-color-bad-outline": "var(--bad-ink)",
  "--mantine-color-bad-light-color": "var(--bad-ink)",
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: fromTokens,
  dark: fromTokens,
});
