/** Permission requests of Gemini CLI, and how the calls are reported. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { EventOf, PermissionReply } from "../../../src/index.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const server = fileURLToPath(new URL("../support/mcp-server.ts", import.meta.url));
const scenarios: Scenario[] = [
  {
    name: "todos",
    steps: [
      [{ callNative: { name: "write_todos", input: { todos: [{ description: "a", status: "pending" }] } } }],
      [{ say: "Listed." }],
    ],
  },
];

test("in one session: denied, allowed, not asked, always, an MCP tool, a to-do list", async () => {
  const real = await realAgent("gemini", { scenarios });
  const asked: EventOf<"permission.requested">[] = [];
  let reply: PermissionReply = "deny";
  const mcpServers = { scripted_one: { command: process.execPath, args: [server] } };
  const session = await real.session({
    mcpServers,
    onPermission: (request) => {
      asked.push(request);
      return reply;
    },
  });

  // Denied: the wire reports nothing more about the call, and the turn continues.
  const denied = await real.turn(session, scenarioPrompt("write", "x.txt"));
  expect(asked.at(-1)).toMatchObject({
    tool: "write",
    title: "Write x.txt",
    input: { path: join(real.cwd, "x.txt") },
    diff: expect.stringContaining("+hello world"),
    options: [{ scope: "session" }, { scope: "once" }, { scope: "once" }],
  });
  expect(one(denied.events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(denied.result).toMatchObject({ outcome: "done", filesChanged: [] });
  expect(denied.result.text).toContain("canceled by the user");
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);

  // The program does not ask for a command it considers harmless, and the output is reported.
  const unasked = await real.turn(session, scenarioPrompt("shell", "echo hi"));
  expect(asked).toHaveLength(1);
  expect(one(unasked.events, "tool.completed").output.text).toBe("hi");

  reply = "always";
  await real.turn(session, scenarioPrompt("shell", "touch a.txt"));
  await real.turn(session, scenarioPrompt("shell", "touch b.txt"));
  expect(asked.slice(1)).toMatchObject([
    { tool: "shell", title: "Run touch a.txt", input: { command: "touch a.txt" } },
  ]);
  expect(existsSync(join(real.cwd, "b.txt"))).toBe(true);

  // An MCP tool is reported with server and tool name, although one of them has an underscore.
  reply = "allow";
  const mcp = await real.turn(session, scenarioPrompt("mcp", "scripted_one"));
  expect(asked.at(-1)).toMatchObject({ tool: "mcp", mcp: { server: "scripted_one", tool: "add" } });
  expect(one(mcp.events, "tool.completed").output.text).toBe("The sum is 5.");

  // The program's own to-do list needs no permission.
  const before = asked.length;
  const todos = await real.turn(session, scenarioPrompt("todos"));
  expect(asked).toHaveLength(before);
  expect(one(todos.events, "tool.started")).toMatchObject({ tool: "plan", title: "Set 1 todo(s)" });
  expect(todos.result.text).toBe("Listed.");
});

test("allows edits always for the session, and still asks to fetch a page", async () => {
  const real = await realAgent("gemini");
  const asked: string[] = [];
  const session = await real.session({
    onPermission: ({ tool }) => {
      asked.push(tool);
      return tool === "web_fetch" ? "deny" : "always";
    },
  });
  await real.turn(session, scenarioPrompt("two-tools"));
  expect(asked).toEqual(["write"]);
  const fetched = await real.turn(session, scenarioPrompt("fetch", "http://127.0.0.1:9/"));
  expect(asked).toEqual(["write", "web_fetch"]);
  expect(all(fetched.events, "tool.failed")).toMatchObject([{ reason: "denied" }]);
});
