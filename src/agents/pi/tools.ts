/** pi's tool names and inputs in canonical terms, and back. */
import { toolForName } from "../../events/aliases.ts";
import { canonicalInput } from "../../events/canonical-input.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";
import type { Location } from "../../events/types.ts";
import { number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { ToolCall } from "../shared/tool-call.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { placeOf } from "./paths.ts";
import type { Places } from "./paths.ts";

const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["read", "read"],
  ["write", "write"],
  ["edit", "edit"],
  ["bash", "shell"],
  ["powershell", "shell"],
  ["grep", "grep"],
  ["find", "glob"],
  ["ls", "list"],
]);

/** pi's own that only look; they run unasked. */
export const lookingTools: readonly string[] = ["read", "grep", "find", "ls"];

/** Tools of extensions are named by whoever wrote them. */
export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? toolForName(nativeName) ?? "other";
}

export function toolCall(nativeName: string, input: unknown, places: Places): Omit<ToolCall, "mcp"> {
  const tool = canonicalTool(nativeName);
  const given = record(input);
  const canonical = toolNames.has(nativeName) ? ownInput(tool, given) : canonicalInput(tool, input);
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd: places.cwd, nativeName }),
    locations: toolNames.has(nativeName) ? locationsOf(tool, given, places) : undefined,
  };
}

function ownInput(tool: Tool, input: Wire): CanonicalInput {
  if (tool === "shell") return { command: text(input["command"]) };
  return { path: text(input["path"]), pattern: text(input["pattern"]) };
}

function locationsOf(tool: Tool, input: Wire, places: Places): Location[] | undefined {
  const path = text(input["path"]);
  if (path === undefined || !["read", "write", "edit"].includes(tool)) return undefined;
  const place = workspacePath(placeOf(path, places), places.cwd);
  const line = number(input["offset"]);
  return [line !== undefined && Number.isInteger(line) && line > 0 ? { path: place, line } : { path: place }];
}

/** All of its tools of a canonical name, or the one with this name of its own. */
export function nativeToolNames(canonicalOrNative: string): string[] {
  const names = [...toolNames].filter(([, tool]) => tool === canonicalOrNative).map(([native]) => native);
  return names.length > 0 ? names : [canonicalOrNative];
}
