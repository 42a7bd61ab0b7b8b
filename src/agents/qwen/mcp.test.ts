import { expect, test } from "vitest";
import { mcpServersIn } from "../shared/program/mcp-list.ts";
import { mcpLine } from "./manage.ts";

/** Recorded with 0.24.4; the connected server is made up. */
const printed = `Configured MCP servers:

\x1b[32m✓\x1b[0m good: node server.js (stdio) - Connected
\x1b[31m✗\x1b[0m slow: node -e setInterval(()=>{},1e6) (stdio) - Disconnected (timed out after 10000ms)
\x1b[31m✗\x1b[0m web: http://127.0.0.1:9/mcp (http) - Disconnected
\x1b[31m✗\x1b[0m sse one: http://127.0.0.1:9/sse (sse) - Disconnected
\x1b[31m✗\x1b[0m off: node  (stdio) - Disconnected
`;

test("reads its list", () => {
  const shown = mcpServersIn(printed, mcpLine).map(({ name, target, transport, status }) => [
    name,
    target,
    transport,
    status,
  ]);
  expect(shown).toEqual([
    ["good", "node server.js", "stdio", "connected"],
    ["slow", "node -e setInterval(()=>{},1e6)", "stdio", "failed"],
    ["web", "http://127.0.0.1:9/mcp", "http", "failed"],
    ["sse one", "http://127.0.0.1:9/sse", "sse", "failed"],
    ["off", "node", "stdio", "failed"],
  ]);
});

test("finds no server in other output", () => {
  expect(mcpServersIn("No MCP servers configured.\n", mcpLine)).toEqual([]);
  expect(mcpServersIn("", mcpLine)).toEqual([]);
});
