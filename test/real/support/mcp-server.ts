/** The MCP server of `src/testing`, for tests that need its path. */
import "../../../src/testing/mcp-server-main.ts";
