/** What a hook of Qwen Code can be told. An empty answer leaves it to the program's own rules. */
import { text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** Before a tool runs: as its own rules say. */
export const run: object = {};
export const stop = (reason: string): object => beforeTool("deny", reason);
export const ask = (reason: string): object => beforeTool("ask", reason);

function beforeTool(permissionDecision: "deny" | "ask", permissionDecisionReason: string): object {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } };
}

/** Where its own rules ask. */
export const allowed = (updatedInput: Wire | undefined): object => decided({ behavior: "allow", updatedInput });
export const refused = (message: string): object => decided({ behavior: "deny", message });

function decided(decision: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

/** For a hook that nobody answered in time. Of a permission the main conversation then asks over the wire; a subagent cannot. */
export function tooLate(name: string, input: Wire): object {
  const why = "Denied: nobody answered in time.";
  if (name === "PreToolUse") return stop(why);
  return name === "PermissionRequest" && isSubagents(input) ? refused(why) : {};
}

export function isSubagents(input: Wire): boolean {
  return text(input["agent_id"]) !== undefined;
}
