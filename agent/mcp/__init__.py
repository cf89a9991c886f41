"""contextc as an MCP server: the tools, files and packs as resources, the common questions as prompts."""
