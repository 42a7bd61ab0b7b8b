/** Its short commands, run to their end. What they say went wrong is on either stream, and the exit code may be 0 all the same. */
import { tmpdir } from "node:os";
import { ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { AgentContext, ManagementCommand } from "../contract.ts";
import { requireCursor } from "./binary.ts";
import { environmentOf } from "./environment.ts";
import { linesOf } from "./output.ts";
import { program, signInHelp } from "./program.ts";

/** For a person's own terminal. */
export async function commandFor(context: AgentContext, ...args: string[]): Promise<ManagementCommand> {
  const { path, args: first } = await requireCursor(context);
  return { command: path, args: [...first, ...args] };
}

/** What it prints; throws what it says went wrong. */
export async function runCommand(
  context: AgentContext,
  args: readonly string[],
  { cwd = tmpdir(), wrong = never }: { readonly cwd?: string | undefined; readonly wrong?: RegExp } = {},
): Promise<string> {
  const { path, args: first } = await requireCursor(context);
  const { stdout, stderr, code, timedOut } = await context.processes.run(
    { command: path, args: [...first, ...args], cwd, env: environmentOf(context.env), agent: program.id },
    context.deadlines.request,
  );
  const what = `${program.name}'s \`${args.slice(0, 2).join(" ")}\``;
  if (timedOut) throw new ReinsError("timeout", `${what} did not answer in time.`, { agent: program.id });
  const said = linesOf(`${stderr}\n${stdout}`);
  const trouble = code === 0 ? said.find((line) => wrong.test(line)) : (said[0] ?? `exit code ${code}`);
  if (trouble !== undefined) throw commandFailed(what, trouble, "invalid_input");
  return stdout;
}

export function commandFailed(what: string, said: string, otherwise: ErrorCode): ReinsError {
  const signedOut = /authentication required|not logged in|API key is invalid/i.test(said);
  return new ReinsError(signedOut ? "not_authenticated" : otherwise, `${what} could not do it: ${said}`, {
    agent: program.id,
    help: signedOut ? signInHelp : undefined,
  });
}

const never = /(?!)/;
