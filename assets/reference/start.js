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
