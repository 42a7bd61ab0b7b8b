import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import type { AcpAside, AcpAgentOptions } from "../../protocols/acp/index.ts";
import { record, type JsonObject } from "../../protocols/json.ts";
import { failureOf } from "./failures.ts";
import { at, program, signInHelp } from "./program.ts";
import { toolOf } from "./tools.ts";

/**
 * `edits` and `full` also use its default mode, in which it asks and Reins allows: its `autoEdit` also fetches pages
 * and asks about no edit, and its `yolo` asks nothing. It refuses both in a folder that it does not trust.
 */
const modes: AcpAgentOptions["modes"] = {
  read: { id: "plan", chosenOnly: true },
  plan: { id: "plan" },
  ask: { id: "default" },
  edits: { id: "default" },
  full: { id: "default" },
};

export function quirks(): AcpAgentOptions {
  /** The mode in which the user has allowed all further edits. */
  let editsAllowedIn: Mode | undefined;
  return {
    modes,
    tool: toolOf,
    thought,
    verdict: ({ nativeName, tool }, mode) => {
      if (nativeName === "write_todos") return "allow";
      if (isEdit(tool) && mode === editsAllowedIn) return "allow";
      // An approval would leave the read-only mode.
      return nativeName === "exit_plan_mode" && mode === "read" ? "deny" : undefined;
    },
    // "Always" would switch it to `autoEdit`, which also fetches pages without asking.
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

/** Modes that allow more than those Reins uses. */
const wider: ReadonlySet<string> = new Set(["autoEdit", "yolo"]);

/** Reads its mode, which it reports as a message. */
function aside(text: string): AcpAside | undefined {
  const mode = /^\[MODE_UPDATE\] (\w+)$/.exec(text)?.[1];
  if (mode === undefined) return undefined;
  if (!wider.has(mode)) return { mode };
  const message = `${program.name} switched itself to a more permissive mode (${mode}); it may ask less often.`;
  return { mode, events: [{ type: "notice", level: "warning", code: "divergence", message }] };
}

function isEdit(tool: Tool): boolean {
  return tool === "write" || tool === "edit";
}

/** Each thought is complete and has no white space around it: a subject in bold, which may be empty, and the rest below. */
function thought(text: string): string {
  const [, subject = "", said = text] = /^\*\*(.*?)\*\*\n(.*)$/s.exec(text) ?? [];
  return subject === "" ? `${said} ` : `**${subject}**\n${said}\n\n`;
}

function tokensIn(result: JsonObject): { input: number; output: number } | undefined {
  const { input_tokens: input, output_tokens: output } = record(at(result, "_meta", "quota", "token_count"));
  return typeof input === "number" && typeof output === "number" ? { input, output } : undefined;
}

/** Two traps: Gemini CLI joins a link to the text after it, and with any file in the prompt it silently drops every image. */
export function promptBlocks(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const hasImages = blocks.some(({ type }) => type === "image");
  const given = hasImages ? blocks.map(asText) : blocks;
  return given.map((block, index) =>
    index > 0 && block["type"] === "text" && given[index - 1]?.["type"] !== "image"
      ? { ...block, text: `\n${String(block["text"])}` }
      : block,
  );
}

function asText(block: JsonObject): JsonObject {
  if (block["type"] === "resource_link")
    return { type: "text", text: `This file is part of the prompt; read it: ${pathOf(block["uri"])}` };
  if (block["type"] !== "resource") return block;
  const { uri, text } = record(block["resource"]);
  return { type: "text", text: `--- ${pathOf(uri)} ---\n${String(text)}\n--- end of the file ---` };
}

function pathOf(uri: unknown): string {
  const text = String(uri);
  try {
    return decodeURIComponent(new URL(text).pathname);
  } catch {
    return text;
  }
}
