import { fileURLToPath } from "node:url";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { colours, typeface } from "../src/surfaces/http/palette.ts";

const TOKENS = "virtual:tokens.css";

/** The colours of the service's own pages as a stylesheet, by the scheme that is chosen here. */
function tokens(): Plugin {
  return {
    name: "tokens",
    resolveId: (id) => (id === TOKENS ? `\0${TOKENS}` : undefined),
    load: (id) =>
      id === `\0${TOKENS}`
        ? `:root{--text:${typeface.text};--mono:${typeface.mono}}
           :root[data-mantine-color-scheme="light"]{color-scheme:light;${colours.light}}
           :root[data-mantine-color-scheme="dark"]{color-scheme:dark;${colours.dark}}`
        : undefined,
  };
}

const SERVICE = process.env.RECOLLECT_URL ?? "http://127.0.0.1:8787";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/admin/",
  // The server puts another value in its place with every answer.
  html: { cspNonce: "__NONCE__" },
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
      quoteStyle: "double",
      semicolons: true,
    }),
    react(),
    tokens(),
  ],
  build: {
    outDir: "dist",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "fields",
              test: /@mantine.core.esm.components.(Radio|Checkbox|Input|Modal|Combobox|Select|Popover)/,
            },
            // Small files compress better as one; these parts bring a library along, or belong to one page.
            { name: "parts", test: /admin-ui.src.parts.(?!compared|erasure|table|text-area)/ },
            {
              name: "access",
              test: /admin-ui.src.features.access.(?!kinds)/,
              includeDependenciesRecursively: false,
            },
            // Pages of 1 to 3 kB each.
            {
              name: "service",
              test: /admin-ui.src.features.(service|lists).(?!audit)/,
              includeDependenciesRecursively: false,
            },
            {
              name: "audit",
              test: /admin-ui.src.features.service.audit/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/trpc": SERVICE, "/sign-in": SERVICE, "/sign-out": SERVICE } },
});
