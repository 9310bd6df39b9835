// Draws the reference: everything is of this service, and nothing is told to anybody else.
window.Scalar.createApiReference("#reference", {
  url: "/openapi.json",
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
});
