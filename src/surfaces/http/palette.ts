/** Colours of the pages and the admin UI. Text has a contrast of at least 4.5:1. */
export const colours = {
  light: `
    --paper: #ffffff; --panel: #f5f6f7; --card: #ffffff; --hover: #f3f5f7; --chosen: #e6f1f8; --code: #f1f3f5;
    --ink: #16191d; --soft: #4b535c; --faint: #656e78; --line: #e5e8ea; --line2: #d2d7dc; --field: #7d858e;
    --accent: #0b5c8a; --accent-fill: #0b5c8a; --on-accent: #ffffff;
    --good: #1a6b3c; --warn-ink: #7a4f00; --warn: #fdf4e0; --warn-line: #e6cf9c;
    --bad-ink: #a11d2a; --bad: #fdeeed; --bad-line: #efc2c2;
    --ins: #d6efdf; --ins-ink: #10512c; --del: #fbdcdb; --del-ink: #861722;
    --c1: #0f2a40; --c2: #1f74ad; --c3: #7fb5d8; --c4: #c3d9e7; --grid: #eceff1;
    --shadow: 0 1px 2px rgb(16 24 32 / 6%), 0 8px 28px rgb(16 24 32 / 12%);`,
  dark: `
    --paper: #14171a; --panel: #0e1113; --card: #1b1f23; --hover: #1d2226; --chosen: #16303f; --code: #1f2429;
    --ink: #eceef0; --soft: #aeb6bf; --faint: #929ba5; --line: #262c31; --line2: #39414a; --field: #77818c;
    --accent: #7cc4f0; --accent-fill: #116a9d; --on-accent: #0c1d29;
    --good: #7fd6a0; --warn-ink: #e0b050; --warn: #2a2415; --warn-line: #574a26;
    --bad-ink: #ff9aa2; --bad: #301c1e; --bad-line: #643237;
    --ins: #173a26; --ins-ink: #a5e6bf; --del: #472226; --del-ink: #ffbfc3;
    --c1: #e3edf4; --c2: #5fa8d8; --c3: #2f6d97; --c4: #26485f; --grid: #22282d;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 8px 28px rgb(0 0 0 / 45%);`,
} as const;

/** Font stacks: Geist where the admin UI brings it, otherwise the system's fonts; a monospace one for ids and code. */
export const typeface = {
  text: '"Geist", system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif',
  mono: '"Geist Mono", ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", monospace',
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
