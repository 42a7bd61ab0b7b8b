/** From options to a conversation over ACP (`agent acp`). */
import { openAcp } from "../../../drivers/acp/index.ts";
import type { AcpSession } from "../../../drivers/acp/index.ts";
import { goneOf } from "../../../drivers/shared/gone.ts";
import { isReinsError, ReinsError } from "../../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../../contract.ts";
import { endedOnAbort } from "../../shared/open-or-end.ts";
import type { Command } from "../../shared/program.ts";
import { variableOf } from "../../variable.ts";
import { capabilitiesOf } from "../capabilities.ts";
import { environmentOf } from "../environment.ts";
import { exitError } from "../errors.ts";
import { openHooks } from "../hooks/index.ts";
import type { Hooks } from "../hooks/index.ts";
import { installedVersion } from "../installed-version.ts";
import { isOn } from "../options.ts";
import { program } from "../program.ts";
import { keyOf, signInIn } from "../sign-in.ts";
import { chatOf, isEmpty, stateOf } from "../state.ts";
import type { EditLeave } from "./acp-edits.ts";
import { acpArguments } from "./acp-launch.ts";
import { quirksWith } from "./acp-quirks.ts";
import { HookedSession, HookVoice } from "./acp-session.ts";

/** To an older one the word is a prompt like any other, so it is not tried. */
const firstVersion = "2026.02.01";

export async function openOverAcp(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const version = await installedVersion(command, context);
  if (version !== undefined && version < firstVersion) return openOlder(version, context, options, command);
  const { state } = options;
  const latest = state === undefined && isOn(context.env, "CONTINUE");
  try {
    return await start(context, options, command, version, latest ? [notContinued] : []);
  } catch (error) {
    if (state === undefined || !isEmpty(state) || !isLost(error)) throw error;
    return start(context, { ...options, state: undefined }, command, version, [begunAnew]);
  }
}

const notContinued = `Over ACP ${program.name} does not go on with the latest chat of the folder, so a new one was begun. ${variableOf(program.id, "CONTINUE")} is for the channel print.`;

/** Nothing is lost by that. */
const begunAnew = `Over ACP ${program.name} opens no chat in which nothing was said yet, so a new one was begun.`;

async function openOlder(version: string, ...given: Parameters<typeof openOverAcp>): Promise<AgentSession> {
  const [, { mode }] = given;
  if (capabilitiesOf.print.modes.includes(mode)) return (await import("./print-open.ts")).openPrint(...given);
  const message = `${program.name} ${version} cannot be asked anything while it works, so it has no mode ${mode}.`;
  throw new ReinsError("version_unsupported", message, { agent: program.id, help: program.updateHelp });
}

async function start(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  version: string | undefined,
  remarks: readonly string[],
): Promise<AgentSession> {
  const voice = new HookVoice();
  const hooks = await openHooks({
    context,
    options,
    version,
    say: (events) => voice.say(events),
    isPrompted: () => voice.isPrompted,
    stop: () => voice.stop(),
  });
  try {
    return new HookedSession({
      acp: await startAcp(context, options, command, hooks, voice.waiting.leave),
      hooks,
      voice,
      remarks,
    });
  } catch (error) {
    await hooks.close();
    throw explained(error);
  }
}

async function startAcp(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  hooks: Hooks,
  leave: EditLeave,
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
  const quirks = quirksWith({ signedIn, approved: (callId) => hooks.approved(callId), leave });
  const common = { child, name, agent, quirks, deadlines, limits, cwd, mode, model, raw, resume, mcpServers };
  return endedOnAbort(child, signal, () => openAcp({ ...common, stateOf: (id) => stateOf("acp", id) }));
}

/** It says on stderr what it does not like, and ends. */
function explained(error: unknown): unknown {
  const gone = goneOf(error);
  if (gone === undefined) return error;
  const { code, message, help, resetsAt } = exitError(gone, gone.stderrTail, false);
  return new ReinsError(code, message, { agent: program.id, help, resetsAt, cause: error });
}

function isLost(error: unknown): boolean {
  return isReinsError(error) && error.code === "session_not_found";
}
