import type { PermissionRequest } from "../core/api.ts";

export interface StyledLine {
  readonly text: string;
  readonly style?: "red" | "green" | "cyan" | "dim";
}

/** What a permission is about, whole: the diff of an edit, else every field of the input. A title alone may be cut short. */
export function describeRequest(request: Pick<PermissionRequest, "diff" | "input" | "mcp">): readonly StyledLine[] {
  if (request.diff !== undefined && request.diff !== "") return diffLines(request.diff);
  const server =
    request.mcp === undefined ? [] : [{ text: `  MCP server ${request.mcp.server}, tool ${request.mcp.tool}` }];
  return [...server, ...inputLines(request.input)];
}

export function diffLines(diff: string): readonly StyledLine[] {
  return diff
    .trimEnd()
    .split("\n")
    .map((line) => {
      const text = `  ${line}`;
      if (/^(\+\+\+|---|\\)/.test(line)) return { text, style: "dim" };
      if (line.startsWith("+")) return { text, style: "green" };
      if (line.startsWith("-")) return { text, style: "red" };
      return line.startsWith("@@") ? { text, style: "cyan" } : { text };
    });
}

function inputLines(input: unknown): readonly StyledLine[] {
  if (typeof input !== "object" || input === null) return [{ text: `  ${asText(input)}` }];
  return Object.entries(input).flatMap(([name, value]) => {
    const [first = "", ...rest] = asText(value).split("\n");
    return [{ text: `  ${name}: ${first}` }, ...rest.map((line) => ({ text: `    ${line}` }))];
  });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
}
