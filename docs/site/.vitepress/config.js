import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { navigation } from "../navigation.js";
import { anchorOf, placeOf, REFERENCE_SIDEBAR, REPOSITORY } from "../stage.js";

const linkTo = (page) => `/${placeOf(page).replace(/(?:index)?\.md$/, "")}`;

const referenceSidebar = JSON.parse(readFileSync(join(process.env.DOCS_STAGE, REFERENCE_SIDEBAR), "utf8"));

/** Tabs with ids by their place on the page. The generator's are random, and a build has to be the same twice. */
function withFixedIds(html, place) {
  const ids = new Map();
  return html.replaceAll(/(?<==")(group|tab)-[\w-]+(?=")/g, (id, kind) => {
    if (!ids.has(id)) ids.set(id, `${kind}-${place}-${ids.size}`);
    return ids.get(id);
  });
}

export default {
  title: "Recollect",
  description: "The memory service for AI agents: remember, recall and hand work over.",
  lang: "en",
  base: "/docs/",
  srcDir: process.env.DOCS_STAGE,
  outDir: process.env.DOCS_OUT,
  // One page at a time: the search index numbers them as they come, and a build is the same twice.
  buildConcurrency: 1,
  cacheDir: `${process.env.DOCS_STAGE}/.cache`,
  cleanUrls: true,
  // Without it each page would have a script of its own in its text, which the service's policy does not run.
  metaChunk: true,
  head: [
    ["link", { rel: "icon", href: "data:," }],
    ["meta", { name: "referrer", content: "same-origin" }],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    // A column without a name has no header: readers by ear would be told of an empty one.
    config: (md) => {
      for (const side of ["open", "close"])
        md.renderer.rules[`th_${side}`] = (tokens, at, options, _env, self) => {
          const text = tokens[side === "open" ? at + 1 : at - 1];
          if (text?.content === "") tokens[at].tag = "td";
          return self.renderToken(tokens, at, options);
        };
      const tabs = md.renderer.rules["container_code-group_open"];
      md.renderer.rules["container_code-group_open"] = (tokens, at, ...rest) =>
        withFixedIds(tabs(tokens, at, ...rest), at);
    },
    // However busy the machine is: with its limit of half a second, a line is coloured in part, and otherwise each time.
    shikiSetup: (highlighter) => {
      const { codeToHtml } = highlighter;
      highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  vite: {
    logLevel: "error",
    build: { chunkSizeWarningLimit: 2_000, assetsInlineLimit: 0 },
  },
  themeConfig: {
    outline: { level: [2, 3] },
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Connect", link: "/integrations/" },
      { text: "Operations", link: "/operations" },
      { text: "Reference", link: "/reference/" },
    ],
    sidebar: [
      ...navigation.map(({ title, pages }) => ({
        text: title,
        items: Object.entries(pages)
          .filter(([page]) => existsSync(join(REPOSITORY, page)))
          .map(([page, text]) => ({ text, link: linkTo(page) })),
      })),
      { text: "API reference", items: referenceSidebar },
    ],
  },
};
