import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { acpCall } from "../../../../test/support/acp-call.ts";
import { testFolder } from "../../../../test/support/core.ts";
import { isUnready, sameCall, toolOfCall } from "./tools.ts";

describe("tool of a call", () => {
  test.each([
    [
      { title: "Read File", kind: "read", input: { path: "/a" } },
      { tool: "read", input: { path: "/a" } },
    ],
    [
      { title: "`npm test`", kind: "execute" },
      { tool: "shell", nativeName: "shell", input: { command: "npm test" } },
    ],
    [
      { title: "`npm test`", kind: "execute", input: { command: "npm test -w" } },
      { input: { command: "npm test -w" } },
    ],
    [
      { title: "Delete File", kind: "delete", input: { path: "/a" } },
      { tool: "delete", input: { path: "/a" } },
    ],
    [
      { announced: "Delete File", title: "Delete `/a b`", kind: "edit" },
      { tool: "delete", given: { path: "/a b" } },
    ],
    [
      { title: "Fetch https://a.example/x y", kind: "fetch" },
      { tool: "web_fetch", given: { url: "https://a.example/x" } },
    ],
    [
      { title: "Web search: high tides", kind: "search" },
      { tool: "web_search", given: { query: "high tides" } },
    ],
    [
      { title: "Web Fetch", kind: "fetch", input: { url: "https://a" } },
      { tool: "web_fetch", input: { url: "https://a" } },
    ],
    [{ title: "Task: Subagent task", input: { _toolName: "task", description: "Look" } }, { tool: "task" }],
    [
      { title: "grep", kind: "search", name: "grep", input: { pattern: "x" } },
      { tool: "grep", input: { pattern: "x" } },
    ],
    [{ title: "MCP: tool", kind: "other" }, { tool: "mcp" }],
    [
      { title: "MCP: tool", input: { providerIdentifier: "files", toolName: "add", args: {} } },
      {
        tool: "mcp",
        nativeName: "add",
        mcp: { server: "files", tool: "add" },
        input: { server: "files", name: "add" },
      },
    ],
  ] as const)("recognizes %j", (call, tool) => {
    expect(toolOfCall(acpCall(call))).toMatchObject(tool);
  });

  test("does not trust a harmless title when the kind says more", () => {
    expect(toolOfCall(acpCall({ title: "Read File", kind: "execute" }))).toEqual({ nativeName: "Read File" });
    expect(toolOfCall(acpCall({ title: "Something new", kind: "edit" }))).toBeUndefined();
    expect(toolOfCall(acpCall({ name: "new_thing", kind: "edit" }))).toEqual({ nativeName: "new_thing" });
  });

  test("reports an edit of a missing file as a write", () => {
    const folder = testFolder();
    writeFileSync(join(folder, "old"), "");
    const edits = (path: string) => toolOfCall(acpCall({ title: "Edit File", kind: "edit", input: { path } }))?.tool;
    expect([edits(join(folder, "old")), edits(join(folder, "new")), edits("new")]).toEqual(["edit", "write", "edit"]);
  });
});

test("learns the server of a tool after the announcement", () => {
  expect(isUnready(acpCall({ title: "MCP: tool" }))).toBe(true);
  expect(isUnready(acpCall({ title: "MCP: tool", input: { toolName: "a" } }))).toBe(false);
  expect(isUnready(acpCall({ title: "Read File" }))).toBe(false);
});

describe("a page or a search with a request id of its own", () => {
  const fetch = acpCall({ id: "call\nfc", title: "Web Fetch", kind: "fetch", input: { url: "https://a" } });
  const search = acpCall({ id: "other", title: "Web Search", kind: "search", input: { query: "a" } });
  const asked = acpCall({ id: "web_search_1", title: "Web search: a", kind: "search" });

  test("is matched after the call was announced", () => {
    expect(sameCall({ toolCallId: "web_fetch_0" }, [search, fetch])).toBe("call\nfc");
    expect(sameCall({ toolCallId: "web_search_0" }, [fetch, search])).toBe("other");
    expect(sameCall({ toolCallId: "web_search_0" }, [fetch])).toBeUndefined();
  });

  test("is matched before the call is announced", () => {
    const told = { toolCallId: "other", title: "Web Search", rawInput: {} };
    expect(sameCall(told, [fetch, asked])).toBe("web_search_1");
    expect(sameCall({ ...told, title: "Web Fetch" }, [asked])).toBeUndefined();
    expect(sameCall({ toolCallId: "other", status: "completed" }, [asked])).toBeUndefined();
    expect(sameCall({}, [asked])).toBeUndefined();
  });
});
