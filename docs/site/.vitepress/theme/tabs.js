// A language that is chosen once is shown in every group of tabs, on this page and the next.
const KEY = "recollect-docs-language";

const inputs = () => [...document.querySelectorAll(".vp-code-group .tabs input")];
const languageOf = (input) => document.querySelector(`label[for="${input.id}"]`)?.dataset.title;

export function applyChosenTab() {
  const chosen = localStorage.getItem(KEY);
  for (const input of inputs()) if (!input.checked && languageOf(input) === chosen) input.click();
}

export function rememberChosenTab() {
  document.addEventListener("change", ({ target, isTrusted }) => {
    if (!isTrusted || !target.matches(".vp-code-group .tabs input")) return;
    localStorage.setItem(KEY, languageOf(target));
    applyChosenTab();
  });
}
