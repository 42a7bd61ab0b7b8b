/**
 * After-steps: commands that run when a turn is done, as ordinary `shell` calls of that turn. They run without a
 * shell: a command line is split into words, and shell syntax is refused.
 */
import { parseCommandLine } from "../../process/launch/command-line.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { titleOf } from "../../events/titles.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { childEnvironment } from "../../process/index.ts";
import type { Processes } from "../../process/types.ts";
import type { Environment } from "../config/config-files.ts";
import { quotedWords } from "../policy/rule.ts";
import { randomId } from "../../process/crypto.ts";

/** Commands to run after a turn: one command line, or a list of command lines or argument lists: `["npm test", ["git", "status"]]`. */
export type AfterSteps = string | readonly (string | readonly string[])[];

interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly line: string;
}

/** Throws when a step is not a valid command. */
export function stepsOf(after: AfterSteps | undefined): readonly Step[] {
  const lines = after === undefined ? [] : typeof after === "string" ? [after] : after;
  if (!Array.isArray(lines))
    throw new ReinsError("invalid_input", "After-steps are a command line, or a list of them.");
  return lines.map((line: string | readonly string[]) => {
    try {
      if (typeof line === "string") return { ...parseCommandLine(line), line };
      if (!Array.isArray(line) || line.some((word) => typeof word !== "string"))
        throw new Error("It is neither a line nor a program and its arguments.");
      const [command, ...args] = line as readonly string[];
      if (command === undefined || command === "") throw new Error("This command line names no command.");
      return { command, args, line: quotedWords(line) };
    } catch (thrown) {
      const { message } = toReinsError(thrown);
      const why = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
      throw new ReinsError("invalid_input", `The after-step ${JSON.stringify(line)} cannot be run: ${why}`, {
        help: "Write it as a program and its arguments, or name a script.",
        cause: thrown,
      });
    }
  });
}

export interface AfterContext {
  readonly processes: Processes;
  readonly cwd: string;
  readonly env: Environment;
  readonly sessionId: string;
  /** Id of the agent that held the session; the events belong to its leg. */
  readonly agent: () => string;
  readonly deadlineMs: number;
  readonly say: (event: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>) => void;
  readonly permit: (call: AfterCall, signal: AbortSignal) => Promise<AfterAnswer>;
}

export type AfterCall = Pick<AgentEventOf<"permission.requested">, "callId" | "tool" | "title" | "input">;

export interface AfterAnswer {
  readonly denial?: string | undefined;
  readonly changedInput?: unknown;
}

export interface AfterResult {
  readonly passed: boolean;
  /** True when a step was not allowed; the session then does not continue automatically. */
  readonly denied: boolean;
  readonly report: string;
}

const longestReport = 4000;

export async function runAfter(
  steps: readonly Step[],
  context: AfterContext,
  signal: AbortSignal,
): Promise<AfterResult> {
  for (const step of steps) {
    const failed = await runStep(step, context, signal);
    if (failed !== undefined) return { passed: false, ...failed };
  }
  return { passed: true, denied: false, report: "" };
}

async function runStep(
  step: Step,
  context: AfterContext,
  signal: AbortSignal,
): Promise<Omit<AfterResult, "passed"> | undefined> {
  const { say, cwd } = context;
  const callId = `after_${randomId()}`;
  const input = { command: step.line };
  const title = titleOf("shell", input, { cwd, nativeName: "after" });
  const call = { callId, tool: "shell", nativeName: "after", kind: "execute", title, input } as const;
  say({ type: "tool.started", ...call, synthetic: true });
  const fail = (reason: AgentEventOf<"tool.failed">["reason"], message: string) => {
    say({ type: "tool.failed", callId, error: { message }, reason, synthetic: true });
    return { denied: reason === "denied", report: `\`${step.line}\`: ${message}` };
  };
  const { denial, changedInput } = await context.permit({ callId, tool: "shell", title, input }, signal);
  if (signal.aborted) return fail("cancelled", `${whyUnwanted(signal)} before it ran.`);
  if (denial !== undefined) return fail("denied", denial);
  const late = AbortSignal.timeout(context.deadlineMs);
  try {
    const allowed = changedInput === undefined ? step : changedStep(changedInput);
    const { code, text, bytes } = await follow(allowed, context, callId, AbortSignal.any([signal, late]));
    if (signal.aborted) return fail("cancelled", `${whyUnwanted(signal)} while it ran.`);
    if (late.aborted) return fail("timeout", `It did not end within ${context.deadlineMs / 1000} seconds.`);
    if (code === null) return fail("error", "It was ended by a signal.");
    // A command that ran to its end is a completed tool, whatever its exit code.
    const output = { text, bytes, kept: Buffer.byteLength(text) };
    say({ type: "tool.completed", callId, output, exitCode: code, synthetic: true });
    if (code === 0) return undefined;
    return {
      denied: false,
      report: `\`${step.line}\` ended with exit code ${code}:\n\n${text.slice(-longestReport)}`.trimEnd(),
    };
  } catch (thrown) {
    return fail("error", toReinsError(thrown).message);
  }
}

function changedStep(input: unknown): Step {
  const { command } = (typeof input === "object" && input !== null ? input : {}) as { command?: unknown };
  if (typeof command !== "string") throw new ReinsError("invalid_input", "The changed input is not a valid command.");
  return stepsOf(command)[0]!;
}

function whyUnwanted(signal: AbortSignal): string {
  return signal.reason === "budget" ? "The budget was spent" : "The turn was cancelled";
}

const keptChars = 1_000_000;

async function follow(
  { command, args }: Step,
  { processes, cwd, env, sessionId, agent, say }: AfterContext,
  callId: string,
  signal: AbortSignal,
): Promise<{ code: number | null; text: string; bytes: number }> {
  const given = { command, args, cwd, env: childEnvironment(env), stdin: "ignore" } as const;
  const child = await processes.launch({ ...given, agent: agent(), sessionId });
  const stop = (): void => void child.stop({ politely: false });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let text = "";
  let bytes = 0;
  const add = (output: string): void => {
    // Keep the end, which usually shows what went wrong.
    text = (text + output).slice(-keptChars);
    bytes += Buffer.byteLength(output);
    say({ type: "tool.progress", callId, output, synthetic: true });
  };
  try {
    for await (const { lines } of child.lines) if (lines.length > 0) add(`${lines.join("\n")}\n`);
    const { code } = await child.exited;
    const complaint = child.stderrTail();
    if (complaint !== "") add(complaint);
    return { code, text, bytes };
  } finally {
    signal.removeEventListener("abort", stop);
    await child.stop({ politely: false });
  }
}
