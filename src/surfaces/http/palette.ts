/** Colours of the pages and the admin UI. Text has a contrast of at least 4.5:1. */
export const colours = {
  light: `
    --paper: #fdfdfc; --panel: #f4f5f4; --card: #ffffff; --ink: #1d2126; --soft: #565e68; --line: #e2e4e7;
    --field: #7d858e; --code: #f0f1f0; --accent: #0b5c8a; --accent-fill: #0b5c8a; --on-accent: #ffffff;
    --good: #1a6b3c; --warn-ink: #7a4f00; --warn: #fdf3dc; --warn-line: #b97a00;
    --bad-ink: #a11d2a; --bad: #fdeceb; --bad-line: #b3261e;`,
  dark: `
    --paper: #14171a; --panel: #1b1f23; --card: #1b1f23; --ink: #e8eaec; --soft: #a8b0b9; --line: #2c3238;
    --field: #77818c; --code: #22272c; --accent: #7cc4f0; --accent-fill: #116a9d; --on-accent: #0c1d29;
    --good: #7fd6a0; --warn-ink: #e0b050; --warn: #2f2715; --warn-line: #d9a441;
    --bad-ink: #ff9aa2; --bad: #331d1e; --bad-line: #ff9aa2;`,
} as const;

/** Font stacks: the system's fonts, and a monospace one for ids and code. */
export const typeface = {
  text: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
} as const;

/** Styles shared by all pages: system fonts, and light or dark by the reader's preference. */
export const palette = `
:root {
  color-scheme: light dark;${colours.light}
}
@media (prefers-color-scheme: dark) {
  :root {${colours.dark}
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 ${typeface.text};
}
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999rem; padding: 0.6rem 1rem; background: var(--paper); z-index: 1; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
`;
