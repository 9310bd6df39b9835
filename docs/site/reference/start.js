// Draws the reference: everything is of this service, and nothing is told to anybody else.
const SHARED = "#/components/parameters/";

/** The document with the headers that every operation takes told once, so that each operation begins with what is its own. */
function readable(openApi) {
  const headers = Object.values(openApi.components.parameters).map(
    ({ name, description }) => `- \`${name}\`: ${description}`,
  );
  for (const operation of Object.values(openApi.paths).flatMap((methods) => Object.values(methods)))
    operation.parameters = (operation.parameters ?? []).filter(({ $ref }) => !$ref?.startsWith(SHARED));
  openApi.info.description += `\n\n**Headers of every operation**, none of them required:\n\n${headers.join("\n")}`;
  return openApi;
}

fetch("/openapi.json")
  .then((answer) => answer.json())
  .then((openApi) =>
    window.Scalar.createApiReference("#reference", {
      content: readable(openApi),
      // Requests go from the reader's browser to this service and nowhere else.
      baseServerURL: window.location.origin,
      proxyUrl: "",
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
      hideClientButton: true,
      hideDarkModeToggle: false,
      documentDownloadType: "direct",
      // The samples are the document's own: curl, TypeScript, Python and MCP.
      hiddenClients: true,
      orderRequiredPropertiesFirst: true,
      orderSchemaPropertiesBy: "preserve",
      defaultOpenFirstTag: true,
      authentication: { preferredSecurityScheme: "ApiKey" },
      theme: "none",
    }),
  );

// What the renderer's markup lacks for those who do not see it, put right wherever it draws something: each rule finds what is
// still as the renderer made it, so that doing it again changes nothing. A button within a button nobody can mend from here.
const MENDED = [
  // A button that is not one of several tabs cannot be selected: where somebody is, is told as of a link.
  [
    "button[aria-selected]",
    (button) => {
      if (button.getAttribute("aria-selected") === "true") button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      button.removeAttribute("aria-selected");
    },
  ],
  ["button[role=search]", (button) => button.removeAttribute("role")],
  ["aside[role=navigation]", (aside) => aside.setAttribute("role", "region")],
  ["[role=textbox]:not([aria-label])", (field) => field.setAttribute("aria-label", "Value")],
  ["[role=region].response-card", (card) => card.setAttribute("role", "group")],
  ["ul.endpoints:not([tabindex])", (list) => list.setAttribute("tabindex", "0")],
  // Its words are there for the eye alone, and only while the mouse is on it.
  [".scalar-code-copy:not([aria-label])", (button) => button.setAttribute("aria-label", "Copy")],
  [
    "button:not([aria-label], [aria-labelledby], [title])",
    (button) => {
      if (button.textContent.trim() !== "") return;
      const within = button.querySelector("[aria-label]")?.getAttribute("aria-label");
      button.setAttribute("aria-label", within ?? (/copy/.test(button.className) ? "Copy" : "More"));
    },
  ],
];

let isDue = false;
function mend() {
  isDue = false;
  for (const [selector, put] of MENDED)
    for (const element of document.querySelectorAll(selector)) put(element);
}
new MutationObserver(() => {
  if (!isDue) requestAnimationFrame(mend);
  isDue = true;
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-selected", "role"] });
