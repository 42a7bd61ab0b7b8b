import { isAbsolute } from "node:path";
import type { AcpAside, AcpCall, AcpAgentOptions } from "../../protocols/acp/index.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { factsOf } from "./failures.ts";
import { mayLook } from "./launch.ts";
import { signInHelp } from "./program.ts";
import { toolOfCall, withoutShellMark } from "./tools.ts";

/** After a denial Copilot ends the turn without telling the model. */
const denied: AcpAside = {
  failure: { kind: "denied", text: "GitHub Copilot ended the turn because a tool was not allowed." },
};

/** Copilot sends `Info: ...` and `Error: ...` as messages, each in one piece. */
export function asideOf(text: string): AcpAside | undefined {
  const [, level, said = ""] = /^(Info|Warning|Error): (.+)$/s.exec(text) ?? [];
  if (level === "Error") return errorOf(said);
  return level === undefined ? undefined : infoOf(level === "Info" ? "info" : "warning", said.trim());
}

/** A model may begin a message with the same word: only one that nothing follows is Copilot's own. An empty answer is no failure. */
function errorOf(said: string): AcpAside {
  return { onlyLast: true, ...(!said.startsWith("No response was returned") && { failure: factsOf(said) }) };
}

function infoOf(level: "info" | "warning", said: string): AcpAside {
  if (said === "Operation cancelled by user") return denied;
  // The file that it wrote, and the effect of Reins's own arguments.
  if (isAbsolute(said) || said.startsWith("Disabled tools: ")) return {};
  if (said.endsWith("Retrying...")) return { discards: true, retrying: factsOf(said) };
  return { events: [{ type: "notice", level, code: "agent", message: said }] };
}

/**
 * Calls of a subagent have a mark, which does not name the call that started it, and its messages have none. But the
 * agent itself is silent while one of its calls runs, so messages belong to the subagent that it waits for.
 */
export function parentOf(update: JsonObject, open: readonly AcpCall[]): string | undefined {
  const waitedFor = open.findLast(isTask)?.id;
  if (waitedFor === undefined) return undefined;
  const says = update["sessionUpdate"];
  if (says === "agent_message_chunk" || says === "agent_thought_chunk") return waitedFor;
  return markIn(record(update["_meta"])) === undefined || update["toolCallId"] === waitedFor ? undefined : waitedFor;
}

function isTask({ input, meta }: AcpCall): boolean {
  const { agent_type: type, mode } = record(input);
  return typeof type === "string" && mode !== "background" && markIn(meta) === undefined;
}

function markIn(meta: JsonObject): string | undefined {
  return text(record(meta["github.com/copilot"])["agentId"]);
}

const nativeMode = (name: "agent" | "plan"): string => `https://agentclientprotocol.com/protocol/session-modes#${name}`;

/**
 * A session remembers its mode and `allow_all`, so each start sets both. In `full` Reins allows each call, so that
 * calls stay visible. `autopilot` continues by itself after the answer and is not used.
 */
const asks = { id: nativeMode("agent"), options: { allow_all: "off" } };
const modes: AcpAgentOptions["modes"] = {
  read: asks,
  plan: { ...asks, id: nativeMode("plan") },
  ask: asks,
  edits: asks,
  full: asks,
};

export function quirksWith(servers: readonly string[], directories: readonly string[]): AcpAgentOptions {
  return {
    modes,
    tool: (call) => toolOfCall(call, servers),
    parent: parentOf,
    output: withoutShellMark,
    verdict: (asked) => (mayLook(asked, directories) ? "allow" : undefined),
    scopes: { allow_once: "once", allow_always: "session" },
    aside: asideOf,
    usage: { counts: "process" },
    unlistedModels: true,
    signInHelp,
  };
}
