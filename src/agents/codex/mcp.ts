/** What `codex mcp list --json` says. */
import { isRecord, list, record, text, texts } from "../../drivers/stream-json/read.ts";
import type { McpServerInfo } from "../contract.ts";

export function mcpServersIn(json: string): McpServerInfo[] {
  return list(parsed(json)).flatMap((item) => {
    const { name, enabled, disabled_reason: reason, transport, auth_status: auth } = record(item);
    const called = text(name);
    if (called === undefined) return [];
    const how = record(transport);
    const detail = text(reason) ?? text(auth)?.replaceAll("_", " ");
    const status = enabled === false ? "disabled" : auth === "not_logged_in" ? "needs_login" : "unknown";
    return [{ name: called, target: targetOf(how), transport: transportOf(how), status, detail }];
  });
}

/** Its arguments and its address may hold secrets behind a sign; the command and the place are enough. */
function targetOf(how: Readonly<Record<string, unknown>>): string | undefined {
  const url = text(how["url"]);
  if (url !== undefined) return URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : undefined;
  const command = text(how["command"]);
  return command === undefined ? undefined : [command, ...texts(how["args"])].join(" ");
}

function transportOf(how: Readonly<Record<string, unknown>>): "stdio" | "http" | undefined {
  if (how["type"] === "stdio") return "stdio";
  return isRecord(how) && text(how["type"])?.includes("http") === true ? "http" : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
