import { expect, test } from "vitest";
import { mcpServersIn } from "../shared/program/mcp-list.ts";
import { mcpLine } from "./manage.ts";

/** Printed by 2.1.325. */
const printed = `Checking MCP server health…

ok: node /opt/mcp-server.js - ✔ Connected
gone: /nowhere/server --x a b - ✘ Failed to connect — ENOENT: no such file or directory, posix_spawn '/nowhere/server'
far: http://127.0.0.1:9/mcp (HTTP) - ✘ Failed to connect — ECONNREFUSED: Unable to connect. Is the computer able to access the url?
old: http://127.0.0.1:9/sse (SSE) - ! Needs authentication
here: ./server - ⏸ Pending approval (run \`claude\` to approve)
`;

test("reads the printed list", () => {
  expect(mcpServersIn(printed, mcpLine)).toMatchObject([
    { name: "ok", target: "node /opt/mcp-server.js", transport: "stdio", status: "connected" },
    { name: "gone", target: "/nowhere/server --x a b", transport: "stdio", status: "failed" },
    { name: "far", target: "http://127.0.0.1:9/mcp", transport: "http", status: "failed" },
    { name: "old", target: "http://127.0.0.1:9/sse", transport: "sse", status: "needs_login" },
    { name: "here", status: "disabled" },
  ]);
});

test.each(["", "No MCP servers configured. Use `claude mcp add` to add a server.", "x: y", "\u0000"])(
  "finds no server in %j",
  (text) => {
    expect(mcpServersIn(text, mcpLine)).toEqual([]);
  },
);
