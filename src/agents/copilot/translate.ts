/** Copilot's own ways over ACP. */
import { isAbsolute } from "node:path";
import type { Mode } from "../../events/modes.ts";
import type { AcpAside, AcpCall, AcpAgentOptions } from "../../protocols/acp/index.ts";
import { record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { factsOf } from "./failures.ts";
import { mayLook } from "./launch.ts";
import { signInHelp } from "./program.ts";
import { toolOfCall, withoutShellMark } from "./tools.ts";

/** It is said after a tool was denied, and then the turn is over though the model was told nothing. */
const denied: AcpAside = {
  failure: { kind: "denied", text: "GitHub Copilot ended the turn because a tool was not allowed." },
};
const nothing: AcpAside = {};

/** Copilot says `Info: ...` and `Error: ...` like a message, each whole in one piece. */
export function asideOf(text: string): AcpAside | undefined {
  const [, level, said = ""] = /^(Info|Warning|Error): (.+)$/s.exec(text) ?? [];
  if (level === "Error") return errorOf(said);
  return level === undefined ? undefined : infoOf(level === "Info" ? "info" : "warning", said.trim());
}

/** A model may begin a message with the same word: only what nothing follows is Copilot's own. */
function errorOf(said: string): AcpAside {
  // The model answered, with nothing.
  if (said.startsWith("No response was returned")) return { onlyLast: true };
  return { onlyLast: true, failure: factsOf(said) };
}

function infoOf(level: "info" | "warning", said: string): AcpAside {
  if (said === "Operation cancelled by user") return denied;
  // The file that it wrote, and what our own arguments took away.
  if (isAbsolute(said) || said.startsWith("Disabled tools: ")) return nothing;
  if (said.endsWith("Retrying...")) return { discards: true, retrying: factsOf(said) };
  return { events: [{ type: "notice", level, code: "agent", message: said }] };
}

/**
 * The call of the subagent that says this. Its calls have a mark, which does not say whose call started it, and its words have none. But while a call of
 * its own is under way the agent itself says nothing: the words are those of the subagent that it waits for.
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
 * A session remembers its mode and whether everything was allowed, so each start says both. Nothing is ever allowed wholesale: in
 * `full` Reins allows each call, and it stays visible. `autopilot` goes on by itself after the answer and is not used.
 */
const asks = { id: nativeMode("agent"), options: { allow_all: "off" } };
const modes: Readonly<Record<Mode, { id: string; options: { allow_all: string } }>> = {
  read: asks,
  plan: { id: nativeMode("plan"), options: { allow_all: "off" } },
  ask: asks,
  edits: asks,
  full: asks,
};

/** `servers` are the MCP servers and `directories` the further folders of the session. */
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
