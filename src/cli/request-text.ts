import type { PermissionRequest } from "../core/api.ts";

export interface StyledLine {
  readonly text: string;
  readonly style?: "red" | "green" | "cyan" | "dim";
}

type Asked = Pick<PermissionRequest, "diff" | "input" | "mcp"> & { readonly tool?: PermissionRequest["tool"] };

/** What a permission is about, whole: the diff of an edit, the plan, else every field of the input. A title alone may be cut short. */
export function describeRequest({ diff, input, mcp, tool }: Asked): readonly StyledLine[] {
  if (diff !== undefined && diff !== "") return diffLines(diff);
  if (tool === "plan") return planLines(input);
  const server = mcp === undefined ? [] : [{ text: `  MCP server ${mcp.server}, tool ${mcp.tool}` }];
  return [...server, ...inputLines(input)];
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

function planLines(input: unknown): readonly StyledLine[] {
  const { plan, ...rest } = (input ?? {}) as Record<string, unknown>;
  const lines = typeof plan === "string" ? plan.trim().split("\n") : [];
  return [...lines.map((line) => ({ text: `  ${line}`.trimEnd() })), ...inputLines(rest)];
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
