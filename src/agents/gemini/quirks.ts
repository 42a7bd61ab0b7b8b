/** What Gemini CLI does its own way over ACP. */
import type { AcpAside, AcpQuirks } from "../../drivers/acp/index.ts";
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import { failureOf } from "./errors.ts";
import { program } from "./program.ts";
import { promptBlocks } from "./prompt.ts";
import { signInHelp } from "./sign-in.ts";
import { toolOf } from "./tools.ts";

/**
 * `edits` and `full` are its default too, in which it asks and Reins allows: its own `autoEdit` also fetches pages unasked and asks about
 * no edit at all, and in its `yolo` nothing waits for anybody. Both are refused in a folder that it does not trust.
 */
const modes: AcpQuirks["modes"] = {
  read: { id: "plan", chosenOnly: true },
  plan: { id: "plan" },
  ask: { id: "default" },
  edits: { id: "default" },
  full: { id: "default" },
};

/** For one session. */
export function quirks(): AcpQuirks {
  /** The mode in which a person has allowed edits for good. */
  let editsAllowedIn: Mode | undefined;
  return {
    modes,
    tool: toolOf,
    thought,
    verdict: ({ nativeName, tool }, mode) => {
      // A list of its own that changes nothing.
      if (nativeName === "write_todos") return "allow";
      if (isEdit(tool) && mode === editsAllowedIn) return "allow";
      // Approved, it would leave the mode that only looks.
      return nativeName === "exit_plan_mode" && mode === "read" ? "deny" : undefined;
    },
    // It would put itself into its `autoEdit`, which also fetches pages unasked, and which it refuses in a folder it does not trust.
    sent: (optionId, { tool }, mode) => {
      if (optionId !== "proceed_always" || !isEdit(tool)) return optionId;
      editsAllowedIn = mode;
      return "proceed_once";
    },
    scopes: {
      proceed_always: "session",
      proceed_always_tool: "session",
      proceed_always_server: "session",
      proceed_always_and_save: "user",
    },
    silentDenials: true,
    calledOff: (output) => output.startsWith("Command cancelled by user."),
    prompt: promptBlocks,
    replaysLate: true,
    unlistedModels: true,
    aside,
    usage: { counts: "turn", tokens: tokensIn },
    failure: failureOf,
    signInHelp,
  };
}

/** Its own modes that allow more than Reins puts it into. */
const wider: ReadonlySet<string> = new Set(["autoEdit", "yolo"]);

/** It says its mode like a message. */
function aside(text: string): AcpAside | undefined {
  const mode = /^\[MODE_UPDATE\] (\w+)$/.exec(text)?.[1];
  if (mode === undefined) return undefined;
  if (!wider.has(mode)) return { mode };
  const message = `${program.name} put itself into a mode that allows more (${mode}); it may ask less.`;
  return { mode, events: [{ type: "notice", level: "warning", code: "divergence", message }] };
}

function isEdit(tool: Tool): boolean {
  return tool === "write" || tool === "edit";
}

/** Each is a thought of its own, without the white space around it: a subject in bold, which may be empty, and the rest below it. */
function thought(text: string): string {
  const [, subject = "", said = text] = /^\*\*(.*?)\*\*\n(.*)$/s.exec(text) ?? [];
  return subject === "" ? `${said} ` : `**${subject}**\n${said}\n\n`;
}

function tokensIn(result: Readonly<Record<string, unknown>>): { input: number; output: number } | undefined {
  const { quota } = Object(result["_meta"]) as { quota?: unknown };
  const { token_count: count } = Object(quota) as { token_count?: unknown };
  const { input_tokens: input, output_tokens: output } = Object(count) as Record<string, unknown>;
  return typeof input === "number" && typeof output === "number" ? { input, output } : undefined;
}
