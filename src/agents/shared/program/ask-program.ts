/** Programs that speak stream-json: errors at start, and requests without a session. */
import { tmpdir } from "node:os";
import { goneOf, openStreamJson, type StreamJson } from "../../../protocols/stream-json/index.ts";
import { ReinsError, toReinsError, type ErrorInfo } from "../../../events/errors.ts";
import type { Exit } from "../../../process/types.ts";
import type { AgentContext } from "../../contract.ts";
import { commandOf, type Program } from "./program.ts";

/** Throws the reason why the first exchange failed: a program that exits here explains itself on stderr. */
export function explainStart(
  program: Program,
  error: unknown,
  onlyGarbage: boolean,
  exitError: (exit: Exit, stderrTail: string) => ErrorInfo,
): never {
  const gone = goneOf(error);
  if (gone !== undefined) {
    const info = exitError(gone, gone.stderrTail);
    throw new ReinsError(info.code, info.message, { ...info, cause: error });
  }
  if (!onlyGarbage || toReinsError(error).code !== "agent_hung") throw error;
  throw new ReinsError("protocol_error", `${program.name} printed something that is not its protocol, and no answer.`, {
    agent: program.id,
    help: `Check that the command is really ${program.name}.`,
    cause: error,
  });
}

/** Starts the program outside any project, sends it requests, and ends it. */
export async function askProgram<Answer>(
  program: Program,
  context: AgentContext,
  launch: { readonly args: readonly string[]; readonly env: Record<string, string> },
  ask: (stream: StreamJson) => Promise<Answer>,
): Promise<Answer> {
  const { path, args } = commandOf(program, context.env);
  const child = await context.processes.launch({
    command: path,
    args: [...args, ...launch.args],
    cwd: tmpdir(),
    env: launch.env,
    agent: program.id,
    stdin: "pipe",
  });
  try {
    const stream = openStreamJson({
      child,
      name: program.name,
      agent: program.id,
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: () => [],
      onRequest: () => [],
      onWithdrawn: () => [],
      onExit: () => [],
    });
    return await ask(stream);
  } finally {
    await child.stop({ politely: true });
  }
}
