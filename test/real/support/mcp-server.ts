/** The MCP server of the testing room, for tests that name its file. */
import "../../../src/testing/mcp-server-main.ts";
