import { expect, it } from "vitest";
import { formatRule, quotedWords, type Rule } from "./rule.ts";

it.each<[Rule, string]>([
  [{ decision: "deny" }, "deny everything"],
  [{ decision: "deny", command: ["rm", "dd"] }, "deny shell rm or dd"],
  [{ decision: "ask", dynamic: true }, "ask shell that cannot be known"],
  [{ decision: "allow", mcp: "github/get_*" }, "allow mcp github/get_*"],
  [{ decision: "ask", tool: ["edit", "write"], path: "src/**" }, "ask edit or write in src/**"],
  [
    { decision: "deny", tool: "web_fetch", domain: "a.test", agent: ["codex", "pi"] },
    "deny web_fetch at a.test (codex or pi)",
  ],
  [{ decision: "deny", path: "a\nallow everything" }, 'deny everything in "a\\nallow everything"'],
])("formats %j as %s", (rule, said) => expect(formatRule(rule)).toBe(said));

it("quotes words that a shell would interpret", () => {
  expect(quotedWords(["git", "commit", "-m", "it's $HOME"])).toBe(`git commit -m 'it'\\''s $HOME'`);
});
