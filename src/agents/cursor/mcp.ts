/** `agent mcp list` and `agent mcp list-tools <server>`. */
import type { McpServerInfo, McpToolInfo } from "../contract.ts";
import { linesOf } from "./output.ts";

/** What stands after the name of a server. Before a person approved one it is not started, which is as good as disabled. */
const states: readonly (readonly [said: RegExp, status: McpServerInfo["status"]])[] = [
  [/^(?:ready|connected)$/i, "connected"],
  [/^(?:disabled$|not loaded\b)/i, "disabled"],
  [/^(?:requires_authentication|requires authentication|needs (?:authentication|login))\b/i, "needs_login"],
  [/^(?:error|failed)\b/i, "failed"],
  [/^loading\b/i, "unknown"],
];

/**
 * Rows are `<name>: <state>`, and either may have a colon in it: the name ends at the last one after which a state that is known
 * begins. What is in no known state is a server too, and a sentence of the program's own (`Loading MCPs...`) is none.
 */
export function mcpServersIn(stdout: string): McpServerInfo[] {
  return linesOf(stdout).flatMap((line) => server(line) ?? []);
}

function server(line: string): McpServerInfo | undefined {
  const plain = line.replace(/^[○●✓✔✗✘⚠•-]\s+/u, "");
  const ends = [...plain.matchAll(/:\s+/g)].filter(({ index }) => index > 0);
  for (const { index, 0: colon } of ends.toReversed()) {
    const said = plain.slice(index + colon.length);
    const status = states.find(([known]) => known.test(said))?.[1];
    if (status !== undefined) return row(plain.slice(0, index), status, said);
  }
  const first = ends[0];
  if (first === undefined || /^(?:note|tip|warning|error)$/i.test(plain.slice(0, first.index))) return undefined;
  return row(plain.slice(0, first.index), "unknown", plain.slice(first.index + first[0].length));
}

function row(name: string, status: McpServerInfo["status"], said: string): McpServerInfo {
  return status === "connected" ? { name, status } : { name, status, detail: said.replace(/^error:\s*/i, "") };
}

/** A header, then `- <tool> (<parameter>, ...)`. */
export function mcpToolsIn(stdout: string): McpToolInfo[] {
  return linesOf(stdout).flatMap((line) => {
    const { name, parameters = "" } = /^- (?<name>\S+)(?:\s+\((?<parameters>.*)\))?$/.exec(line)?.groups ?? {};
    return name === undefined ? [] : [{ name, parameters: parameters.split(/\s*,\s*/).filter((one) => one !== "") }];
  });
}
