/** The service's name as people read it. It also opens every context text: `### Recollect Context`. */
export const SERVICE_NAME = "Recollect";

/** The service's name as machines read it: in problem URNs and discovery paths. */
export const SERVICE_ID = "recollect";

/** The version that OpenAPI, MCP and the command line report. */
export const SERVICE_VERSION = "0.1.0";
