/** The zod schema of rules in configuration files. Importing this file loads zod. */
import { z } from "zod";
import { tools } from "../../events/tools.ts";
import { decisions } from "./rule.ts";

const word = z.string().min(1);
const oneOrMore = z.union([word, z.array(word).min(1)], { error: "it must be text, or a list of texts" });
const tool = z.enum(tools);

export const ruleSchema = z.strictObject({
  decision: z.enum(decisions).describe("Effect when the rule matches; the first matching rule decides"),
  agent: oneOrMore.optional().describe("Agent ids, with `*` as a wildcard"),
  tool: z.union([tool, z.array(tool).min(1)], { error: `it must be one of ${tools.join(", ")}` }).optional(),
  path: oneOrMore.optional().describe("Globs: relative to the workspace, absolute, or starting with `~`"),
  command: oneOrMore.optional().describe("Words of one simple command, with `*` as a wildcard"),
  mcp: oneOrMore.optional().describe("An MCP server, or a server and its tool: `github/create_*`"),
  domain: oneOrMore.optional().describe("A host name; `*.example.com` matches example.com and its subdomains"),
  dynamic: z.literal(true).optional().describe("Commands that cannot be known before they run"),
  reason: word.optional().describe("Shown to people, and to the agent that is denied"),
});

export const policySchema = z.strictObject({
  rules: z.array(ruleSchema).optional().describe("Permission rules; a project's rules can only deny and ask"),
});
