/** Rules as a zod schema, for configuration files. Loading this file loads zod. */
import { z } from "zod";
import { tools } from "../../events/tools.ts";
import { decisions } from "./rule.ts";

const word = z.string().min(1);
const oneOrMore = z.union([word, z.array(word).min(1)], { error: "it must be text, or a list of texts" });
const tool = z.enum(tools);

export const ruleSchema = z.strictObject({
  decision: z.enum(decisions).describe("What happens where the rule matches; the first one that does decides"),
  agent: oneOrMore.optional().describe("Ids of agents, with `*`"),
  tool: z.union([tool, z.array(tool).min(1)], { error: `it must be one of ${tools.join(", ")}` }).optional(),
  path: oneOrMore.optional().describe("Globs: from the workspace on, absolute, or from `~` on"),
  command: oneOrMore.optional().describe("The words of one simple command, with `*`"),
  mcp: oneOrMore.optional().describe("A server, or a server and its tool: `github/create_*`"),
  domain: oneOrMore.optional().describe("A host; `*.example.com` is those below it too"),
  dynamic: z.literal(true).optional().describe("Commands that cannot be known before they run"),
  reason: word.optional().describe("For people, and for the agent that is denied something"),
});

export const policySchema = z.strictObject({
  rules: z.array(ruleSchema).optional().describe("Who may do what; a project's may only deny and ask"),
});
