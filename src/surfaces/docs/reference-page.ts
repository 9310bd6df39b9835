import { SERVICE_NAME } from "../../contract/service.ts";
import { html } from "../http/html.ts";

/** The renderer as it was published, under its version: it is replaced as a whole (`docs/site/replace-reference.ts`). */
const RENDERER = "scalar-1.46.4.js";

/** Files that the page loads. Nothing else in the folder is served. */
export const REFERENCE_FILES: Readonly<Record<string, { readonly isNamedByContent: boolean }>> = {
  [RENDERER]: { isNamedByContent: true },
  "start.js": { isNamedByContent: false },
  "style.css": { isNamedByContent: false },
};

/** The page of the API reference, drawn in the browser from `/openapi.json`. */
export function referencePage(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${SERVICE_NAME}</title>
<meta name="description" content="Every operation of ${SERVICE_NAME}, with examples that can be sent.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference/style.css">
<script defer src="/docs/reference/${RENDERER}"></script>
<script defer src="/docs/reference/start.js"></script>
</head>
<body>
<nav class="site" aria-label="Documents"><a href="/docs/">${SERVICE_NAME} documents</a> <a href="/openapi.json">openapi.json</a></nav>
<div id="reference"></div>
<noscript><p>The reference is drawn by a script. <a href="/openapi.json">openapi.json</a> says the same to machines.</p></noscript>
</body>
</html>
`.text;
}
