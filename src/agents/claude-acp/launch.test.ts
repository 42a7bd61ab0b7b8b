import { expect, test } from "vitest";
import { environmentOf, sessionMetaOf } from "./launch.ts";

const options = { sessionId: "s", cwd: "/w" } as const;
const always = {
  allowDangerouslySkipPermissions: false,
  settings: { useAutoModeDuringPlan: false },
  forwardSubagentText: true,
};

test.each([
  [{ mode: "ask" }, {}, {}],
  [{ mode: "read" }, { tools: expect.arrayContaining(["Read"]) as unknown, disallowedTools: ["mcp__*"] }, {}],
  [
    { mode: "ask", tools: { allowed: ["shell(git *)", "mcp__x"], disallowed: ["web_fetch", "task"] } },
    { allowedTools: ["Bash(git *)", "mcp__x"], disallowedTools: ["WebFetch", "Agent"] },
    {},
  ],
  [{ mode: "full", maxTurns: 3, maxBudgetUsd: 0.5 }, { maxTurns: 3, maxBudgetUsd: 0.5 }, {}],
  [{ mode: "ask", systemPrompt: { text: "Kind.", how: "append" } }, {}, { systemPrompt: { append: "Kind." } }],
  [{ mode: "ask", systemPrompt: { text: "Kind.", how: "replace" } }, {}, { systemPrompt: "Kind." }],
] as const)("converts %o", (wanted, own, more) => {
  expect(sessionMetaOf({ ...options, ...wanted })).toEqual({ claudeCode: { options: { ...always, ...own } }, ...more });
});

test("offers no tool that changes anything in mode read", () => {
  const { claudeCode } = sessionMetaOf({ ...options, mode: "read" }) as {
    claudeCode: { options: { tools: string[] } };
  };
  for (const name of ["Write", "Edit", "NotebookEdit", "Bash", "Agent"])
    expect(claudeCode.options.tools).not.toContain(name);
});

test("passes Claude Code's own variables, and none of an outer session", () => {
  const env = { PATH: "/bin", ANTHROPIC_API_KEY: "k", CLAUDE_CODE_SESSION_ID: "o", OPENAI_API_KEY: "x" };
  expect(environmentOf(env, { A: "b" })).toEqual({
    PATH: "/bin",
    ANTHROPIC_API_KEY: "k",
    CLAUDE_CODE_MAX_RETRIES: "2",
    CLAUDE_AGENT_ACP_PROTOCOL: "v1",
    A: "b",
  });
});
