/**
 * Maps Cursor's tools to canonical terms. A tool has one name in the stream (`readToolCall`), one in hooks (`Read`),
 * and one for the model and in the cloud (`read_file`).
 */
import { canonicalInput } from "../../../events/canonical-input.ts";
import { displayPath } from "../../../events/paths.ts";
import { titleOf } from "../../../events/titles.ts";
import { toolKinds, type CanonicalInput, type Tool, type ToolKind } from "../../../events/tools.ts";
import { list, record, text, type JsonObject } from "../../../protocols/json.ts";
import type { ToolCall } from "../tool-call.ts";

/** Keys are names in lower case, letters only, without a trailing `ToolCall`. */
const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  (
    [
      ["read", "read readfile readlints"],
      ["write", "write writefile"],
      ["edit", "edit editfile searchreplace strreplace applypatch multiedit applyagentdiff"],
      ["notebook", "editnotebook"],
      ["delete", "delete deletefile"],
      ["list", "ls list listdir listdirectory"],
      ["glob", "glob globfilesearch filesearch"],
      ["grep", "grep greptool grepsearch ripgrep semsearch semanticsearch codebasesearch"],
      ["shell", "shell runterminalcmd runterminalcommand bash terminal writeshellstdin await awaitshell"],
      ["web_fetch", "webfetch fetch"],
      ["web_search", "websearch exasearch"],
      ["plan", "updatetodos todowrite readtodos todoread createplan"],
      ["task", "task subagent"],
      ["question", "askquestion askfollowupquestion"],
      ["mcp", "mcp callmcptool getmcptools listmcpresources readmcpresource fetchmcpresource mcpauth"],
      ["memory", "updatememory fetchrules reflect"],
      ["image", "generateimage recordscreen computeruse"],
      ["mode", "switchmode"],
    ] as const
  ).flatMap(([tool, names]) => names.split(" ").map((name): [string, Tool] => [name, tool])),
);

export const filePathTools: ReadonlySet<Tool> = new Set(["read", "write", "edit", "delete", "notebook"]);

export const changingKinds: ReadonlySet<ToolKind> = new Set(["edit", "delete", "move", "execute"]);

/** Fields that the program adds to the model's input. */
const plumbing: ReadonlySet<string> = new Set([
  ...["toolCallId", "simpleCommands", "hasInputRedirect", "hasOutputRedirect", "parsingResult", "classifierResult"],
  ...["fileOutputThresholdBytes", "skipApproval", "timeoutBehavior", "hardTimeout", "closeStdin", "conversationId"],
  ...["adminCommandDenylist", "requestId", "smartModeApprovalOnly", "asyncOriginalToolCallId", "runAsync"],
]);

/** Turns `readToolCall` into `read`; leaves other names unchanged. */
export function plainName(nativeName: string): string {
  return nativeName.replace(/ToolCall$/, "") || nativeName;
}

export function cursorTool(nativeName: string): Tool {
  // Hooks name MCP tools `MCP:<tool>`.
  if (/^mcp:/i.test(nativeName)) return "mcp";
  const letters = plainName(nativeName)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  return toolNames.get(letters) ?? "other";
}

export interface CursorCall extends ToolCall {
  readonly input: JsonObject;
}

/** `known`: the tool, when the caller already knows whether an edit writes a whole file. */
export function cursorCall(nativeName: string, args: unknown, cwd: string, known?: Tool): CursorCall {
  const input = Object.fromEntries(Object.entries(record(args)).filter(([name]) => !plumbing.has(name)));
  const named = cursorTool(nativeName);
  // Hooks have one name for writing and editing.
  const tool = known ?? (named === "write" || named === "edit" ? (editTool(input) ?? named) : named);
  const mcp = tool === "mcp" ? mcpName(nativeName, input) : undefined;
  const canonical = canonicalOf(tool, input, mcp);
  const { path } = canonical;
  const shownName = plainName(nativeName);
  return {
    tool,
    nativeName: shownName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName: shownName }),
    locations: path !== undefined && filePathTools.has(tool) ? [{ path: displayPath(path, cwd) }] : undefined,
    mcp,
    input,
  };
}

const wholeTexts = ["streamContent", "fileText", "file_text", "contents", "text"];
const replacements = ["strReplace", "oldString", "old_string", "oldText", "old", "edits", "multiStrReplace"];

/** Tells from the input whether an edit writes a whole file. Undefined for newer versions, which send only the path. */
export function editTool(args: JsonObject): "write" | "edit" | undefined {
  if (replacements.some((name) => text(args[name]) !== undefined || typeof args[name] === "object")) return "edit";
  return wholeTexts.some((name) => typeof args[name] === "string") ? "write" : undefined;
}

function mcpName(nativeName: string, input: JsonObject): ToolCall["mcp"] {
  const server = text(input["providerIdentifier"]) ?? text(input["serverIdentifier"]) ?? text(input["server"]);
  const hooked = /^mcp:(.+)$/is.exec(nativeName)?.[1];
  const tool = text(input["toolName"]) ?? text(input["tool"]) ?? hooked ?? text(input["name"]);
  return tool === undefined ? undefined : { server: server ?? "mcp", tool };
}

function canonicalOf(tool: Tool, input: JsonObject, mcp: ToolCall["mcp"]): CanonicalInput {
  const guessed = canonicalInput(tool, input);
  const folder = text(input["targetDirectory"]) ?? text(input["target_directory"]);
  switch (tool) {
    case "list":
    case "glob":
    case "grep":
      return { ...guessed, path: folder ?? guessed.path };
    case "mcp":
      return { server: mcp?.server ?? guessed.server, name: mcp?.tool ?? guessed.name };
    case "question":
      return { description: questionIn(input) ?? guessed.description };
    case "plan":
      return { description: text(input["name"]) ?? text(input["overview"]) ?? guessed.description };
    default:
      return guessed;
  }
}

function questionIn(input: JsonObject): string | undefined {
  const first = record(list(input["questions"])[0]);
  return text(first["prompt"]) ?? text(first["question"]) ?? text(input["question"]) ?? text(input["title"]);
}
