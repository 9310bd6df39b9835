// The order in which the documents are read: the site's sidebar and llms.txt are made from it. A page that is not named here
// is in the site, and found by search and links alone.

/** Sections of the sidebar, each with its pages by their files in the repository, and what the sidebar calls them. */
export const navigation = [
  {
    title: "Start",
    pages: {
      "docs/README.md": "Overview",
      "docs/tutorial.md": "Tutorial",
      "docs/concepts.md": "Concepts",
      "docs/recipes.md": "Recipes",
      "docs/glossary.md": "Glossary",
      "docs/compared.md": "Compared with its peers",
      "docs/cost.md": "Cost",
    },
  },
  {
    title: "Connect",
    pages: {
      "docs/integrations/README.md": "Clients and frameworks",
      "docs/integrations/mcp.md": "Any MCP client",
      "docs/integrations/claude-code.md": "Claude Code",
      "docs/integrations/codex.md": "Codex",
      "docs/integrations/gemini-cli.md": "Gemini CLI",
      "docs/integrations/agent-slots.md": "OpenCode, OpenClaw, Hermes",
      "docs/integrations/editors.md": "Editors and desktop apps",
      "packages/client/README.md": "TypeScript client",
      "docs/integrations/python.md": "Python",
      "docs/integrations/python-frameworks.md": "Frameworks in Python",
      "docs/integrations/ai-sdk.md": "Vercel AI SDK",
      "docs/integrations/langgraph.md": "LangGraph",
      "docs/integrations/langchain.md": "LangChain",
      "docs/integrations/mastra.md": "Mastra",
      "docs/integrations/openai-agents.md": "OpenAI Agents",
      "docs/integrations/memory-tool.md": "Anthropic's memory tool",
      "docs/skill-runtime.md": "Agents with nothing but HTTP",
      "docs/edge.md": "Edge runtimes",
    },
  },
  {
    title: "Understand",
    pages: {
      "docs/recall.md": "Recall",
      "docs/projects.md": "Projects",
      "docs/teams.md": "Teams",
      "docs/events.md": "Events and webhooks",
      "docs/junk.md": "Junk",
      "docs/secrets.md": "Secrets",
      "docs/moving-in.md": "Moving in",
      "docs/coming-from.md": "Coming from mem0, Zep, Letta",
    },
  },
  {
    title: "Operate",
    pages: {
      "docs/operations.md": "Running it",
      "docs/operations/sizing.md": "Sizing",
      "docs/operations/proxy.md": "Proxy and TLS",
      "docs/operations/postgres.md": "Postgres",
      "docs/operations/limits.md": "Limits and room",
      "docs/operations/backup.md": "Backup and restore",
      "docs/operations/upgrade.md": "Upgrade and roll back",
      "docs/operations/watching.md": "Watching it",
      "docs/operations/kubernetes.md": "Kubernetes",
      "docs/windows.md": "Windows",
      "docs/operations/troubleshooting.md": "Troubleshooting",
      "docs/uninstall.md": "Uninstall",
      "docs/settings.md": "Settings",
      "docs/operations/models.md": "Models",
      "docs/operations/elasticsearch.md": "Elasticsearch",
      "docs/operations/sizes.md": "Sizes, as measured",
    },
  },
  {
    title: "Trust",
    pages: {
      "docs/security.md": "Security",
      "docs/authorization.md": "Authorization",
      "docs/telemetry.md": "Telemetry",
    },
  },
  {
    title: "Look up",
    pages: {
      "docs/errors.md": "Errors",
      "docs/contract.md": "Where the contract is silent",
      "docs/project-rules.md": "Projects: the rules",
      "examples/README.md": "Examples",
      "README.md": "README",
      "CHANGELOG.md": "Changelog",
    },
  },
];
