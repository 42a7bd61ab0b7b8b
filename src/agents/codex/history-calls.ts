/** Tool calls as Codex's model made them, which is how a rollout has them. */
import { isRecord, list, record, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import { itemCall, namedCall } from "./tools.ts";
import type { ToolCall } from "./tools.ts";

/** Undefined for what is no call. */
export function madeCall(item: Wire, cwd: string): ToolCall | undefined {
  const name = text(item["name"]) ?? "unknown";
  switch (item["type"]) {
    case "local_shell_call":
      return commandCall(record(item["action"])["command"], cwd);
    case "web_search_call":
      return itemCall({ type: "webSearch", action: item["action"] }, cwd);
    case "custom_tool_call":
      return name === "apply_patch"
        ? itemCall(patchText(text(item["input"]) ?? ""), cwd)
        : namedCall({ name, namespace: undefined, input: item["input"] }, cwd);
    case "function_call": {
      const input = parsed(item["arguments"]);
      const { cmd, command, input: patch } = record(input);
      if (name === "apply_patch") return itemCall(patchText(text(patch) ?? ""), cwd);
      if (cmd !== undefined || command !== undefined) return commandCall(cmd ?? command, cwd);
      return namedCall({ name, namespace: text(item["namespace"]), input }, cwd);
    }
    default:
      return undefined;
  }
}

/** As one text, or as the words of `bash -lc "..."`. */
function commandCall(command: unknown, cwd: string): ToolCall | undefined {
  const words = texts(command);
  const line = text(command) ?? (words.length === 3 && /^-l?c$/.test(words[1]!) ? words[2]! : words.join(" "));
  return itemCall({ type: "commandExecution", command: line }, cwd);
}

function parsed(given: unknown): unknown {
  try {
    return typeof given === "string" ? JSON.parse(given) : given;
  } catch {
    return given;
  }
}

const kinds: Readonly<Record<string, string>> = { Add: "add", Update: "update", Delete: "delete" };

/** A patch as the item it would be, without its hunks. */
function patchText(patch: string): Wire {
  const changes: { path: string; kind: { type: string; move_path?: string } }[] = [];
  for (const [, what = "", file = ""] of patch.matchAll(
    /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm,
  )) {
    const last = changes.at(-1);
    if (what !== "Move to") changes.push({ path: file.trim(), kind: { type: kinds[what.split(" ")[0]!]! } });
    else if (last !== undefined) last.kind.move_path = file.trim();
  }
  return { type: "fileChange", changes };
}

/** What a patch did, as the item that is sent for it elsewhere. */
export function patchItem(changes: unknown): Wire {
  const items = Object.entries(record(changes)).map(([path, change]) => {
    const { type, content, unified_diff: hunks, move_path } = record(change);
    return { path, kind: { type, move_path }, diff: text(hunks) ?? content };
  });
  return { type: "fileChange", changes: items };
}

export function planIn(nativeName: string, input: unknown): AgentEvent | undefined {
  if (nativeName !== "update_plan") return undefined;
  const entries = list(record(input)["plan"])
    .filter(isRecord)
    .flatMap(({ step, status }) => {
      const said = text(step);
      const known = status === "in_progress" || status === "completed" ? status : "pending";
      return said === undefined ? [] : [{ text: said, status: known } as const];
    });
  return { type: "plan.updated", entries };
}
