/** What Copilot does in its own way over ACP. */
import type { AcpQuirks } from "../../drivers/acp/index.ts";
import type { Mode } from "../../events/modes.ts";
import { asideOf } from "./asides.ts";
import { mayLook } from "./directories.ts";
import { signInHelp } from "./program.ts";
import { parentOf } from "./subagents.ts";
import { toolOfCall, withoutShellMark } from "./tools.ts";

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
export function quirksWith(servers: readonly string[], directories: readonly string[]): AcpQuirks {
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
