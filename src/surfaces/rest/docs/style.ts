import { palette } from "../../http/palette.ts";

/** What the page adds to the look of all pages. */
export const style = `${palette}
:root { --get: #0f5f3a; --post: #0b5c8a; --patch: #7a4a00; --delete: #a11d2a; }
@media (prefers-color-scheme: dark) {
  :root { --get: #6fd6a0; --post: #7cc4f0; --patch: #f0bd6a; --delete: #ff9aa2; }
}
html { scroll-padding-top: 1rem; }
.layout { display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
code, pre, .method, .status { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
p code, li code, td code, dd code { background: var(--code); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1.25rem 3rem;
  background: var(--panel); border-right: 1px solid var(--line);
}
nav .name { font-weight: 700; font-size: 1.15rem; margin: 0 0 1.25rem; }
nav .group { font-weight: 700; font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 0.4rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.22rem 0.5rem; margin: 0 -0.5rem; border-radius: 5px; color: inherit; text-decoration: none; font-size: 0.9rem; line-height: 1.4; }
nav li a:hover { background: var(--code); }
main { padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 64rem; min-width: 0; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 0.5rem; }
h2 { font-size: 1.45rem; letter-spacing: -0.01em; }
main > section { margin-top: 3.5rem; }
main > section > h2 { padding-bottom: 0.5rem; border-bottom: 2px solid var(--line); margin: 0 0 0.75rem; }
h3 { font-size: 1.2rem; margin: 0; }
h4 { font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); margin: 1.75rem 0 0.5rem; }
p { max-width: 44rem; margin: 0.6rem 0; }
.lead { color: var(--soft); font-size: 1.05rem; }
.operation, .schema { padding: 2rem 0 2.5rem; border-bottom: 1px solid var(--line); }
.schema { padding: 1.5rem 0; }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }
.endpoint { margin: 0.5rem 0 0.75rem; overflow-wrap: anywhere; }
.method { display: inline-block; flex: none; min-width: 3.9em; font-weight: 700; font-size: 0.75rem; letter-spacing: 0.03em; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.85rem; border-top: 1px solid var(--line); }
thead th { background: var(--panel); border-top: 0; font-size: 0.78rem; color: var(--soft); font-weight: 600; }
tbody th { font-weight: 500; white-space: nowrap; }
td:last-child { min-width: 16rem; }
.required { color: var(--delete); font-size: 0.75rem; font-weight: 600; }
.meaning, .note { display: block; }
.note { color: var(--soft); font-size: 0.85rem; overflow-wrap: anywhere; }
pre { background: var(--code); padding: 0.9rem 1.1rem; border-radius: 8px; overflow-x: auto; line-height: 1.5; margin: 1rem 0 0; }
.answers { margin: 0; font-size: 0.9rem; }
.answers div { display: flex; gap: 1rem; padding: 0.4rem 0; border-top: 1px solid var(--line); }
.answers div:first-child { border-top: 0; }
.answers dd { margin: 0; min-width: 0; }
.status { font-weight: 700; } .done { color: var(--get); } .refused { color: var(--delete); }
@media (max-width: 54rem) {
  .layout { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding-top: 1.75rem; }
}
@media print { nav, .skip { display: none; } .layout { display: block; } }
`;
