import { oneLine } from "../../events/printable.ts";
import type { PermissionReply, PermissionRequest } from "../../core/api.ts";
import type { AskContext } from "./terminal.ts";

/** Further lines are shown on request. */
const shownLines = 40;

/** Shows the request and waits for the user's answer. Without an answer, the core's deadline denies it. */
export async function askPermission(
  request: PermissionRequest,
  signal: AbortSignal,
  { terminal, screen }: AskContext,
): Promise<PermissionReply> {
  const [always, further] = request.options.filter((option) => option.kind === "allow_always");
  const lines = describeRequest(request);
  const cut = lines.length > shownLines;
  screen.still();
  if (request.reason !== undefined) screen.line(request.reason);
  for (const line of lines.slice(0, shownLines)) screen.line(line.text, line.style);
  if (cut) screen.line(`… ${lines.length - shownLines} more lines`, "dim");
  screen.line(`y yes · n no (you may add why: n use tabs) · s no, and stop${cut ? " · v view all" : ""}`, "dim");
  // The label says what `always` allows, and for how long.
  if (always !== undefined) screen.line(`a ${oneLine(always.label)}`, "dim");
  if (further !== undefined) screen.line(`f ${oneLine(further.label)}`, "dim");

  const question = request.tool === "plan" ? "Approve this plan?" : `Allow ${oneLine(request.title)}?`;
  for (;;) {
    const answer = await terminal.ask(`${question} `, signal);
    if (answer === undefined) return "deny";
    if (further !== undefined && answer.trim().toLowerCase() === "f")
      return { decision: "allow", optionId: further.id };
    const reply = parseReply(answer, always !== undefined);
    if (reply !== undefined) return reply;
    if (cut && answer.trim() === "v") for (const line of lines.slice(shownLines)) screen.line(line.text, line.style);
    else
      screen.line(`Please answer y, ${always === undefined ? "" : "a, "}${further === undefined ? "" : "f, "}n or s.`);
  }
}

/** Undefined for unclear input: an empty line never allows or denies anything. */
export function parseReply(answer: string, always: boolean): PermissionReply | undefined {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(answer) ?? [];
  const message = rest === "" ? undefined : rest.replace(/^[:,]\s*/, "");
  const typed = word.toLowerCase().replace(/[:,.!]$/, "");
  const reply = replies.find(([name]) => typed === name || typed === name[0])?.[1];
  if (reply === undefined || (reply === "always" && !always)) return undefined;
  if (message === undefined) return reply;
  if (reply === "deny") return { decision: "deny", message };
  return reply === "stop" ? { decision: "deny", stop: true, message } : undefined;
}

/** Each may be shortened to its first letter. */
const replies = [
  ["yes", "allow"],
  ["always", "always"],
  ["no", "deny"],
  ["stop", "stop"],
] as const;

interface StyledLine {
  readonly text: string;
  readonly style?: "red" | "green" | "cyan" | "dim";
}

type Asked = Pick<PermissionRequest, "diff" | "input" | "mcp"> & { readonly tool?: PermissionRequest["tool"] };

/** The complete request: the diff of an edit, the plan, else every field of the input. A title alone may be cut short. */
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
