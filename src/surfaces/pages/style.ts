import { palette } from "../http/palette.ts";

/** Styles that these pages add to the common ones. */
export const style = `${palette}
header { border-bottom: 1px solid var(--line); background: var(--card); }
.bar {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem;
  max-width: 60rem; margin: 0 auto; padding: 0.7rem clamp(1rem, 4vw, 2rem);
}
.name { color: inherit; font-weight: 700; font-size: 1.1rem; letter-spacing: -0.01em; text-decoration: none; }
.session { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; margin: 0; font-size: 0.9rem; }
.who { color: var(--soft); overflow-wrap: anywhere; }
main { max-width: 37rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 3rem) clamp(1rem, 4vw, 2rem) 5rem; }
main.wide { max-width: 60rem; }
main { overflow-wrap: anywhere; }
main:focus { outline: none; }
h1 { font-size: clamp(1.5rem, 5vw, 1.9rem); line-height: 1.25; letter-spacing: -0.02em; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; letter-spacing: -0.01em; margin: 2.5rem 0 0.75rem; }
h2.first { margin-top: 0; }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.6rem 0; }
.lead, .soft, .hint { color: var(--soft); }
.hint { font-size: 0.875rem; line-height: 1.5; margin: 0.25rem 0 0; overflow-wrap: anywhere; }
form + .hint { margin-top: 1.5rem; }
.said { overflow-wrap: anywhere; }
code, .token { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { font-size: 0.85em; background: var(--code); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.field { margin: 1.25rem 0; }
label { font-weight: 600; }
.field label { display: block; margin-bottom: 0.3rem; }
input:not([type="checkbox"], [type="radio"], [type="hidden"]) {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--field); border-radius: 8px;
}
input.token { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9rem; background: var(--code); }
input[aria-invalid="true"] { border: 2px solid var(--bad-ink); }
button, .button {
  display: inline-block; min-height: 2.75rem; padding: 0.6rem 1.4rem; font: inherit; font-weight: 600; line-height: 1.5;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
  cursor: pointer; text-decoration: none;
}
button:hover, .button:hover { filter: brightness(1.08); }
button.second { color: var(--accent); background: transparent; }
button.danger { color: var(--bad-ink); background: transparent; border-color: currentColor; overflow-wrap: anywhere; }
button.quiet { min-height: 2rem; padding: 0.1rem 0.7rem; font-size: 0.875rem; color: inherit; background: transparent; border-color: var(--field); }
button.second:hover, button.quiet:hover, button.danger:hover { background: var(--code); filter: none; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.75rem; }
.actions button { flex: 1 1 8rem; }
fieldset { margin: 1.75rem 0 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.5rem; font-weight: 700; font-size: 1.05rem; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.4rem 0; }
.choice input { flex: none; width: 1.2rem; height: 1.2rem; margin: 0.2rem 0 0; accent-color: var(--accent); }
.choice label { font-weight: 500; }
.choice > div { min-width: 0; }
.field.within { margin: 0.4rem 0 0 1.95rem; }
.field.within label { font-weight: 500; font-size: 0.9rem; }
details { margin-top: 0.6rem; }
summary { width: fit-content; padding: 0.25rem 0; color: var(--accent); cursor: pointer; font-size: 0.9rem; font-weight: 600; }
details > .choice { margin-left: 1.1rem; }
.panel { margin: 1.5rem 0; padding: 1.1rem 1.25rem; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; }
.panel h2 { font-size: 1.05rem; margin: 1.25rem 0 0.25rem; }
.panel h2:first-child { margin-top: 0; }
dl { margin: 0.5rem 0 0; }
dl > div { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; padding: 0.45rem 0; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
dt { flex: 0 0 9rem; color: var(--soft); }
dd { flex: 1 1 12rem; margin: 0; min-width: 0; overflow-wrap: anywhere; }
.warning, .alert, .note { margin: 1.25rem 0; padding: 0.75rem 1.1rem; border: 1px solid var(--line); border-left: 5px solid var(--accent); border-radius: 8px; background: var(--panel); }
.warning { background: var(--warn); border-color: var(--warn-line); }
.alert { background: var(--bad); border-color: var(--bad-line); }
.warning p, .alert p, .note p { margin: 0.2rem 0; }
table { width: 100%; margin: 0.75rem 0; border-collapse: collapse; font-size: 0.95rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 600; }
.quotes { margin: 0.5rem 0; padding-left: 1.6rem; }
.quotes li { margin: 0.75rem 0; }
blockquote { margin: 0.25rem 0 0; padding: 0.3rem 0 0.3rem 0.9rem; border-left: 3px solid var(--line); }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.9rem; }
.lead + .cards, .cards + .hint { margin-top: 1.25rem; }
.card { padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; min-width: 0; }
.state { display: inline-block; margin-left: 0.35rem; padding: 0.05rem 0.6rem; font-size: 0.8rem; font-weight: 600; color: var(--soft); border: 1px solid var(--field); border-radius: 99px; white-space: nowrap; }
.state.live { color: var(--accent); border-color: currentColor; }
.scopes { margin: 0.6rem 0; padding-left: 1.2rem; }
`;
