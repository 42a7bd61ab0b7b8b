/** Runs one tool call of an agent in this process from start to end, with the requests it makes. */
import { isReinsError } from "../../../events/errors.ts";
import type { Mode } from "../../../events/modes.ts";
import { toolKinds, type Tool } from "../../../events/tools.ts";
import type { AgentEventOf, ToolOutput } from "../../../events/types.ts";
import type { FinalAnswer, NativeOption, RequestedCall } from "../../../protocols/requests.ts";
import type { Located } from "../../../workspace/real-paths.ts";
import type { ToolFilter } from "../../contract.ts";
import { EndTurn, ToolProblem } from "./stop-turn.ts";
import type { InProcessTurn } from "./turn.ts";

export interface Done {
  readonly text: string;
  /** Size of the whole output, when `text` is only a part of it. */
  readonly bytes?: number | undefined;
  readonly exitCode?: number | undefined;
}

export interface Inquiry {
  readonly diff?: string | undefined;
  readonly reason?: string | undefined;
}

export interface Running {
  readonly callId: string;
  /** The allowed paths; the tool may access no others. */
  readonly allowed: readonly Located[];
}

export interface ToolUse<Input, Result extends Done = Done> {
  readonly call: RequestedCall;
  /** The agent's original message, when the session keeps it. */
  readonly raw?: unknown;
  readonly title: (input: unknown) => string;
  /** Throws a ToolProblem. */
  readonly check: (input: unknown) => Input;
  /** False when the tool has no effect outside the session and needs no permission. */
  readonly held?: boolean;
  readonly locate?: ((input: Input) => readonly Located[]) | undefined;
  readonly inquiry?: ((input: Input) => Promise<Inquiry>) | undefined;
  readonly run: (input: Input, running: Running) => Promise<Result>;
}

/** Throws only errors that end the turn. */
export async function callTool<Input, Result extends Done>(
  turn: InProcessTurn,
  use: ToolUse<Input, Result>,
): Promise<{ readonly done: Result } | { readonly failed: unknown; readonly message: string }> {
  // Only requests name the MCP server.
  const { mcp: _server, ...started } = use.call;
  const { callId, tool } = started;
  const raw = use.raw === undefined ? {} : { raw: use.raw };
  await turn.emit({ type: "tool.started", ...started, kind: toolKinds[tool], ...raw });
  const startedAt = performance.now();
  try {
    const { input, allowed } = await permission(turn, use);
    const done = await use.run(input, { callId, allowed });
    const durationMs = Math.round(performance.now() - startedAt);
    const completed: AgentEventOf<"tool.completed"> = {
      type: "tool.completed",
      callId,
      output: outputOf(done),
      durationMs,
    };
    if (done.exitCode !== undefined) completed.exitCode = done.exitCode;
    turn.close(completed);
    return { done };
  } catch (thrown) {
    const failure = failureOf(thrown, turn.signal);
    turn.close({ type: "tool.failed", callId, ...failure });
    if (thrown instanceof EndTurn) throw thrown;
    return { failed: thrown, message: failure.error.message };
  }
}

/** Asks whether the call may run. Returns the input and the paths to run with. */
async function permission<Input>(
  turn: InProcessTurn,
  { call, held: isHeld, title, check, locate, inquiry }: ToolUse<Input>,
): Promise<{ input: Input; allowed: readonly Located[] }> {
  const { files, mode } = turn.context;
  const input = check(call.input);
  if (isHeld === false) return { input, allowed: [] };
  const allowed = locate?.(input) ?? [];
  const locations = allowed.map(({ asked }) => ({ path: files.shown(asked) }));
  const shown = mayBeAsked(mode, call.tool) ? await inquiry?.(input) : undefined;
  const held = { ...call, ...(locations.length > 0 && { locations }), ...shown, filter: filterOf(turn.filter, call) };
  const changed = allowedInput(await turn.request({ id: turn.newId("hold"), kind: "hold", call: held }));
  if (changed === undefined) return { input, allowed };
  const next = check(changed);
  await turn.emit({ type: "tool.progress", callId: call.callId, input: changed, title: title(changed) });
  return { input: next, allowed: locate?.(next) ?? [] };
}

function mayBeAsked(mode: Mode, tool: Tool): boolean {
  return mode === "ask" || mode === "edits" || (mode !== "full" && toolKinds[tool] === "fetch");
}

const planOptions: readonly NativeOption[] = [
  { option: { id: "allow", kind: "allow_once", label: "Allow", scope: "once" } },
  { option: { id: "deny", kind: "reject_once", label: "Deny", scope: "once" } },
];

/** Asks for approval of a plan and leaves mode `plan`. Throws when the plan is not approved. */
export async function approvePlan(turn: InProcessTurn, callId: string, input: unknown): Promise<void> {
  const call = { callId, tool: "plan", nativeName: "plan", title: "Approve the plan", input } as const;
  const id = turn.newId("permission");
  allowedInput(await turn.request({ id, kind: "permission", call, options: planOptions }));
  turn.context.mode = "ask";
  await turn.emit({ type: "session.updated", mode: "ask", by: "agent", reason: "The plan was approved." });
}

type Question = Omit<AgentEventOf<"question.requested">["questions"][number], "id" | "free">;

/** Returns the answer as text, or the message of a skipped question if there is one. */
export async function askQuestion(
  turn: InProcessTurn,
  question: Question,
  callId?: string,
): Promise<{ readonly words?: string; readonly message?: string | undefined }> {
  const answer = await turn.request({
    id: turn.newId("question"),
    kind: "question",
    questions: [{ id: "answer", ...question, free: true }],
    call: callId === undefined ? undefined : { callId },
  });
  const words = answer.decision === "answer" ? answer.answers["answer"] : undefined;
  if (words !== undefined) return { words: [words].flat().join(", ") };
  return { message: "message" in answer ? answer.message : undefined };
}

/** The changed input, if there is one. Throws when the call may not run. */
function allowedInput(answer: FinalAnswer): unknown {
  if (answer.decision === "allow") return answer.input;
  if (answer.decision === "deny" && answer.stop) throw new EndTurn("cancelled");
  const message = ("message" in answer ? answer.message : undefined) ?? "It was not allowed.";
  throw new ToolProblem(message, answer.decision === "cancel" ? "cancelled" : "denied");
}

type Named = Pick<RequestedCall, "nativeName" | "tool" | "mcp">;

function filterOf({ allowed, disallowed }: ToolFilter, call: Named): RequestedCall["filter"] {
  if (isNamed(disallowed, call)) return "disallowed";
  return isNamed(allowed, call) ? "allowed" : undefined;
}

/** A filter names a tool by its own name, its canonical name, or all tools of a server. */
export function isNamed(names: readonly string[] | undefined, { nativeName, tool, mcp }: Named): boolean {
  return names?.some((name) => name === nativeName || name === tool || name === `mcp__${mcp?.server}`) === true;
}

function outputOf({ text, bytes }: Done): ToolOutput {
  const kept = Buffer.byteLength(text);
  return { text, bytes: Math.max(bytes ?? kept, kept), kept };
}

function failureOf(thrown: unknown, signal: AbortSignal): Pick<AgentEventOf<"tool.failed">, "error" | "reason"> {
  if (signal.aborted) return { error: { message: "The turn was cancelled." }, reason: "cancelled" };
  if (thrown instanceof EndTurn && thrown.outcome === "cancelled")
    return { error: { message: "It was not allowed." }, reason: "denied" };
  const error: { message: string; code?: string } = {
    message: thrown instanceof Error ? thrown.message : String(thrown),
  };
  const code = codeOf(thrown);
  if (code !== undefined) error.code = code;
  return { error, reason: thrown instanceof ToolProblem ? thrown.reason : "error" };
}

function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof ToolProblem || isReinsError(thrown)) return thrown.code;
  if (thrown instanceof EndTurn) return thrown.error?.code;
  const { code } = Object(thrown) as NodeJS.ErrnoException;
  return typeof code === "string" ? code : undefined;
}
