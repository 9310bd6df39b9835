/** The look that all pages share: system fonts, light and dark by the reader's choice, every text at 4.5:1 or more. */
export const palette = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --ink: #1d2126; --soft: #565e68; --line: #e2e4e7; --panel: #f4f5f4; --accent: #0b5c8a;
  --code: #f0f1f0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e8eaec; --soft: #a8b0b9; --line: #2c3238; --panel: #1b1f23; --accent: #7cc4f0;
    --code: #22272c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999rem; padding: 0.6rem 1rem; background: var(--paper); z-index: 1; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
`;
