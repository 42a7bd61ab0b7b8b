/** Cursor's tools over ACP. Calls have no names, so a tool is recognised by its first title ("Read File", "`npm test`") and its input. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { canonicalInput } from "../../../events/canonical-input.ts";
import { toolKinds, type CanonicalInput, type Tool, type ToolKind } from "../../../events/tools.ts";
import type { AcpCall, AcpTool } from "../../../protocols/acp/index.ts";
import { record, text, type JsonObject } from "../../../protocols/json.ts";
import { changingKinds, cursorTool, filePathTools } from "../../shared/cursor/tools.ts";

export function toolOfCall(call: AcpCall): Partial<AcpTool> | undefined {
  const input = record(call.input);
  const [server, mcpTool] = [text(input["providerIdentifier"]), text(input["toolName"])];
  if (server !== undefined && mcpTool !== undefined) {
    const mcp = { server, tool: mcpTool };
    return { tool: "mcp", nativeName: mcpTool, mcp, input: { server, name: mcpTool } };
  }
  const title = call.announced ?? call.title ?? "";
  const nativeName = text(input["_toolName"]) ?? call.name ?? nameIn(title);
  if (nativeName === undefined) return undefined;
  const tool = toolFor(nativeName, call.kind);
  if (tool === undefined) return { nativeName };
  const told = [canonicalInput(tool, call.input), fromTitle(tool, call.title ?? title), fromTitle(tool, title)];
  const known = told.find((one) => Object.values(one).some((value) => value !== undefined));
  const path = known?.path;
  // The edit tool also writes whole files and reports only their path, so an edit of a file that does not exist is a write.
  const isNew = tool === "edit" && path !== undefined && isAbsolute(path) && !existsSync(path);
  return {
    locations: filePathTools.has(tool) && path !== undefined ? [{ path }] : undefined,
    tool: isNew ? "write" : tool,
    nativeName,
    input: known ?? {},
    ...(known !== undefined && { given: known }),
  };
}

/** A call of an MCP tool is announced as "MCP: tool"; its server follows right after. */
export function isUnready({ title, input }: AcpCall): boolean {
  return input === undefined && /^MCP: tool$/i.test(title ?? "");
}

const asksUnder = /^(web_(?:fetch|search))_\d+$/;

/** Cursor asks about a page or a search under another id than the call's, before or after it reports the call. */
export function sameCall(update: JsonObject, calls: readonly AcpCall[]): string | undefined {
  const asks = asksUnder.exec(text(update["toolCallId"]) ?? "")?.[1];
  const call = { id: "", name: undefined, kind: undefined, locations: [], meta: {} };
  const tool = asks ?? toolOfCall({ ...call, title: text(update["title"]), input: update["rawInput"] })?.tool;
  if (tool !== "web_fetch" && tool !== "web_search") return undefined;
  return calls.find((one) => asksUnder.test(one.id) === (asks === undefined) && toolOfCall(one)?.tool === tool)?.id;
}

/** Reads "Edit `src/a.ts`", "Web search: tides", "Fetch https://…", "`npm test`". */
function nameIn(title: string): string | undefined {
  if (title.startsWith("`")) return "shell";
  if (/^MCP:/i.test(title)) return "MCP";
  const words = title.split(/[`:"']|https?:/, 1)[0]!.trim();
  return [words, words.split(" ", 1)[0]!].find((name) => cursorTool(name) !== "other");
}

/** Does not trust a name when the kind allows more. */
function toolFor(nativeName: string, kind: ToolKind | undefined): Tool | undefined {
  const tool = cursorTool(nativeName);
  if (tool === "other") return undefined;
  return kind !== undefined && changingKinds.has(kind) && !changingKinds.has(toolKinds[tool]) ? undefined : tool;
}

/** Permissions have titles but no inputs. */
function fromTitle(tool: Tool, title: string): CanonicalInput {
  const quoted = /`(.*)`/s.exec(title)?.[1];
  if (tool === "shell") return { command: quoted };
  if (tool === "web_fetch") return { url: /https?:\/\/\S+/.exec(title)?.[0] };
  if (tool === "web_search") return { query: /^[^:]*:\s*(.+)$/s.exec(title)?.[1] };
  return tool !== "notebook" && filePathTools.has(tool) ? { path: quoted } : {};
}
