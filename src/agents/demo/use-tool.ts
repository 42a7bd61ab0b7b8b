/** One tool call from its start to its end, the same for every tool. */
import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf, Location, ToolOutput } from "../../events/types.ts";
import { isReinsError } from "../../events/errors.ts";
import { titleOf } from "../../events/titles.ts";
import { EndTurn, ToolProblem } from "../shared/endings.ts";
import { askPerson, hold } from "./gate.ts";
import type { Call } from "./gate.ts";
import { canonicalInput, canonicalTools, isInputOf } from "./tools.ts";
import type { Inputs, ToolName } from "./tools.ts";
import type { Turn } from "./turn.ts";

export interface Done {
  readonly output: string | ToolOutput;
  readonly exitCode?: number;
  /** What was done, in a few words: "Read a.txt". */
  readonly note: string;
}

export interface ToolUse<Name extends ToolName> {
  readonly name: Name;
  readonly input: Inputs[Name];
  /** It touches the folder, so the policy has a word. */
  readonly held?: boolean;
  /** Where it looks or works; throws when that is not allowed at all. */
  readonly locate?: (input: Inputs[Name]) => Promise<Location[]>;
  /** What it would change, for the person who is asked. */
  readonly preview?: (input: Inputs[Name]) => Promise<string>;
  readonly run: (input: Inputs[Name], callId: string) => Promise<Done>;
}

export async function useTool<Name extends ToolName>(turn: Turn, use: ToolUse<Name>): Promise<void> {
  const tool = canonicalTools[use.name];
  const callId = turn.newId("call");
  const title = (input: Inputs[Name]): string =>
    titleOf(tool, canonicalInput(use.name, input), { cwd: turn.desk.options.cwd, nativeName: use.name });
  const call: Call = { callId, tool, nativeName: use.name, title: title(use.input), input: use.input };
  await turn.emit({ type: "tool.started", ...call, kind: toolKinds[tool] });
  const startedAt = performance.now();
  try {
    const input = use.held === true ? await allowed(turn, use, call, title) : use.input;
    const { output, exitCode, note } = await use.run(input, callId);
    turn.notes.push(note);
    const completed: AgentEventOf<"tool.completed"> = {
      type: "tool.completed",
      callId,
      output: typeof output === "string" ? wholeOutput(output) : output,
      durationMs: Math.round(performance.now() - startedAt),
    };
    if (exitCode !== undefined) completed.exitCode = exitCode;
    turn.close(completed);
  } catch (thrown) {
    turn.close({ type: "tool.failed", callId, ...failure(thrown, turn.signal) });
    if (thrown instanceof EndTurn) throw thrown;
    turn.notes.push(`${call.title}: ${messageOf(thrown)}`);
  }
}

/** Goes through the gate; returns the input to run with. */
async function allowed<Name extends ToolName>(
  turn: Turn,
  use: ToolUse<Name>,
  call: Call,
  title: (input: Inputs[Name]) => string,
): Promise<Inputs[Name]> {
  const locations = await use.locate?.(use.input);
  const located: Call = locations === undefined ? call : { ...call, locations };
  if ((await hold(turn, use.name, located)) === "run") return use.input;
  const changed = await askPerson(turn, located, { diff: await use.preview?.(use.input) });
  if (changed === undefined) return use.input;
  if (!isInputOf(use.name, changed)) throw new ToolProblem(`The changed input is not one of the tool ${use.name}.`);
  await turn.emit({ type: "tool.progress", callId: call.callId, input: changed, title: title(changed) });
  return changed;
}

function wholeOutput(text: string): ToolOutput {
  const bytes = Buffer.byteLength(text);
  return { text, bytes, kept: bytes };
}

function failure(thrown: unknown, signal: AbortSignal): Pick<AgentEventOf<"tool.failed">, "error" | "reason"> {
  if (thrown instanceof EndTurn) {
    if (signal.aborted) return { error: { message: "The turn was cancelled." }, reason: "cancelled" };
    if (thrown.outcome === "cancelled") return { error: { message: "It was not allowed." }, reason: "denied" };
  }
  const error: { message: string; code?: string } = { message: messageOf(thrown) };
  const code = codeOf(thrown);
  if (code !== undefined) error.code = code;
  return { error, reason: thrown instanceof ToolProblem ? thrown.reason : "error" };
}

function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof ToolProblem || isReinsError(thrown)) return thrown.code;
  return thrown instanceof EndTurn ? thrown.error?.code : (thrown as NodeJS.ErrnoException).code;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
