import { isReinsError, ReinsError } from "../../../events/errors.ts";
import { openAcp, type AcpSession } from "../../../protocols/acp/index.ts";
import { goneOf } from "../../../protocols/process-exit.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../../contract.ts";
import { endedOnAbort } from "../../shared/program/open-or-stop.ts";
import type { OpenSession } from "../../shared/program/program-agent.ts";
import type { Command } from "../../shared/program/program.ts";
import { variableOf } from "../../variable.ts";
import { failures } from "../failures.ts";
import { openHooks, type Hooks } from "../hooks/index.ts";
import { acpArguments, isOn, printModes } from "../launch.ts";
import { cursorError, environmentOf, installedVersion, keyOf, program, signInIn } from "../program.ts";
import { chatOf, isEmpty, stateOf } from "../session.ts";
import { quirksWith } from "./options.ts";
import { HookedSession } from "./session.ts";

/** An older version would treat the word `acp` as a prompt. */
const firstVersion = "2026.02.01";

const notContinued = `Over ACP ${program.name} does not resume the latest chat of the folder, so a new one was started. ${variableOf(program.id, "CONTINUE")} works only on the channel print.`;
const begunAnew = `Over ACP ${program.name} cannot open an empty chat, so a new one was started.`;

export const openOverAcp: OpenSession = async (context, options, command) => {
  const { mode, state } = options;
  const version = await installedVersion(command, context);
  if (version !== undefined && version < firstVersion) {
    if (printModes[mode] !== undefined)
      return (await import("../print/session.ts")).openPrint(context, options, command);
    const message = `${program.name} ${version} cannot ask for permission while it works, so it has no mode ${mode}.`;
    throw cursorError("version_unsupported", message, program.updateHelp);
  }
  const open = async (opened: OpenOptions, remarks: readonly string[]): Promise<AgentSession> => {
    const session = new HookedSession(opened.mode);
    const hooks = await openHooks({ context, options: opened, version, ...session.hookPorts });
    try {
      return session.begin(await startAcp(context, opened, command, hooks, session), hooks, remarks);
    } catch (error) {
      await hooks.close();
      // stderr has the reason why the program ended.
      const gone = goneOf(error);
      if (gone === undefined) throw error;
      const { code, message, help, resetsAt } = failures.exit(gone, gone.stderrTail);
      throw new ReinsError(code, message, { agent: program.id, help, resetsAt, cause: error });
    }
  };
  try {
    return await open(options, state === undefined && isOn(context.env, "CONTINUE") ? [notContinued] : []);
  } catch (error) {
    const isLost = isReinsError(error) && error.code === "session_not_found";
    if (state === undefined || !isEmpty(state) || !isLost) throw error;
    return open({ ...options, state: undefined }, [begunAnew]);
  }
};

async function startAcp(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  hooks: Hooks,
  { edits }: HookedSession,
): Promise<AcpSession> {
  const { deadlines, limits, processes } = context;
  const { cwd, mode, model, mcpServers, raw, sessionId, signal } = options;
  const resume = options.state === undefined ? undefined : chatOf(options.state);
  const { id: agent, name } = program;
  const env = environmentOf(context.env, options.env);
  const run = { command: command.path, cwd, agent };
  const signedIn = async (): Promise<boolean> => {
    if (keyOf(env) !== undefined) return true;
    const asked = { ...run, env, args: [...command.args, "status", "--format", "json"] };
    return signInIn((await processes.run(asked, deadlines.probe)).stdout).signedIn === "yes";
  };
  const args = [...command.args, ...acpArguments(context, options, hooks.args)];
  const child = await processes.launch({ ...run, args, env: { ...env, ...hooks.env }, sessionId, stdin: "pipe" });
  const quirks = quirksWith({ signedIn, approved: (callId) => hooks.approved(callId), edits });
  const common = { child, name, agent, quirks, failures, deadlines, limits, cwd, mode, model, raw, resume, mcpServers };
  return endedOnAbort(child, signal, () => openAcp({ ...common, stateOf: (id) => stateOf("acp", id) }));
}
