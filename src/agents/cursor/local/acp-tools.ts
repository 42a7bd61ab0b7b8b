/** Cursor's tools over ACP. It gives no names: a call is known by its first title ("Read File", "`npm test`") and the fields of its input. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { AcpCall, AcpTool } from "../../../drivers/acp/index.ts";
import { record, text } from "../../../drivers/acp/read.ts";
import type { Wire } from "../../../drivers/acp/read.ts";
import { canonicalInput } from "../../../events/canonical-input.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../../events/tools.ts";
import { cursorTool } from "../tools.ts";

const ofFiles: ReadonlySet<Tool> = new Set<Tool>(["read", "write", "edit", "delete", "notebook"]);

export function toolOfCall(call: AcpCall): Partial<AcpTool> | undefined {
  const input = record(call.input);
  const mcp = mcpIn(input);
  if (mcp !== undefined)
    return { tool: "mcp", nativeName: mcp.tool, mcp, input: { server: mcp.server, name: mcp.tool } };
  const title = call.announced ?? call.title ?? "";
  const nativeName = text(input["_toolName"]) ?? call.name ?? nameIn(title);
  if (nativeName === undefined) return undefined;
  const tool = toolFor(nativeName, call.kind);
  if (tool === undefined) return { nativeName };
  const told = canonicalInput(tool, call.input);
  const known =
    [told, fromTitle(tool, call.title ?? title), fromTitle(tool, title)].find((input) => !isEmpty(input)) ?? {};
  const locations = ofFiles.has(tool) && known.path !== undefined ? [{ path: known.path }] : undefined;
  return {
    locations,
    tool: isNew(tool, known) ? "write" : tool,
    nativeName,
    input: known,
    ...(!isEmpty(known) && { given: known }),
  };
}

/** Such a call is announced as "MCP: tool", and whose tool it is comes right after. */
export function isUnready({ title, input }: AcpCall): boolean {
  return input === undefined && /^MCP: tool$/i.test(title ?? "");
}

const asksUnder = /^web_(?:fetch|search)_\d+$/;

/** It asks about a page or a search under an id of its own, before it tells of the call or after. */
export function sameCall(update: Wire, calls: readonly AcpCall[]): string | undefined {
  const id = text(update["toolCallId"]) ?? "";
  const asks = asksUnder.test(id);
  const tool = asks ? webTool(id.startsWith("web_fetch") ? "web_fetch" : "web_search") : webTool(toolOfUpdate(update));
  if (tool === undefined) return undefined;
  return calls.find((call) => asksUnder.test(call.id) !== asks && toolOfCall(call)?.tool === tool)?.id;
}

function toolOfUpdate(update: Wire): Tool | undefined {
  const { title, rawInput } = update;
  const call = { id: "", name: undefined, kind: undefined, locations: [], meta: {} };
  return toolOfCall({ ...call, title: text(title), input: rawInput })?.tool;
}

function webTool(tool: Tool | undefined): Tool | undefined {
  return tool === "web_fetch" || tool === "web_search" ? tool : undefined;
}

function mcpIn(input: Wire): { server: string; tool: string } | undefined {
  const [server, tool] = [text(input["providerIdentifier"]), text(input["toolName"])];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

/** "Edit `src/a.ts`", "Web search: tides", "Fetch https://…", "`npm test`". */
function nameIn(title: string): string | undefined {
  if (title.startsWith("`")) return "shell";
  if (/^MCP:/i.test(title)) return "MCP";
  const words = title.split(/[`:"']|https?:/, 1)[0]!.trim();
  return [words, words.split(" ", 1)[0]!].find((name) => cursorTool(name) !== "other");
}

const changing: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move", "execute"]);

/** A name is not believed where the kind says that more may happen: a deletion is asked about as an edit, and no less. */
function toolFor(nativeName: string, kind: ToolKind | undefined): Tool | undefined {
  const tool = cursorTool(nativeName);
  if (tool === "other") return undefined;
  return kind !== undefined && changing.has(kind) && !changing.has(toolKinds[tool]) ? undefined : tool;
}

/** Permissions have titles and no inputs. */
function fromTitle(tool: Tool, title: string): CanonicalInput {
  const quoted = /`(.*)`/s.exec(title)?.[1];
  switch (tool) {
    case "shell":
      return quoted === undefined ? {} : { command: quoted };
    case "web_fetch": {
      const url = /https?:\/\/\S+/.exec(title)?.[0];
      return url === undefined ? {} : { url };
    }
    case "web_search": {
      const query = /^[^:]*:\s*(.+)$/s.exec(title)?.[1];
      return query === undefined ? {} : { query };
    }
    case "read":
    case "write":
    case "edit":
    case "delete":
      return quoted === undefined ? {} : { path: quoted };
    default:
      return {};
  }
}

/** It writes whole files by its edit tool, and tells only their path: one that is not there yet is written. */
function isNew(tool: Tool, { path }: CanonicalInput): boolean {
  return tool === "edit" && path !== undefined && isAbsolute(path) && !existsSync(path);
}

function isEmpty(input: CanonicalInput): boolean {
  return Object.values(input).every((value) => value === undefined);
}
