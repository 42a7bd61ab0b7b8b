import { expect, it } from "vitest";
import { deniedTools } from "./denied-tools.ts";

it("makes rules of the names that every agent has, and says which are none", () => {
  expect(deniedTools(["shell", "shell(git push *)", "mcp__github", "mcp__github__create_issue", "Bash"])).toEqual({
    rules: [
      { decision: "deny", tool: "shell" },
      { decision: "deny", command: "git push *" },
      { decision: "deny", mcp: "github" },
      { decision: "deny", mcp: "github/create_issue" },
    ],
    unknown: ["Bash"],
  });
  expect(deniedTools()).toEqual({ rules: [], unknown: [] });
});
