/** From options to a conversation that takes prompts. */
import { openAcp } from "../../drivers/acp/index.ts";
import type { AcpSession } from "../../drivers/acp/index.ts";
import { goneOf } from "../../drivers/json-rpc/index.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { keepHistory, tidyHistory } from "./resumed-history.ts";
import { argumentsOf } from "./launch.ts";
import { OneShotSession } from "./one-shot.ts";
import { policyOf } from "./policy.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";
import { sessionOf } from "./state.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Over ACP; with a program too old for that, one process a prompt. */
export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  try {
    return await openAcpSession(context, options, command);
  } catch (error) {
    if (!lacks("acp", error)) throw error;
    const resume = options.state === undefined ? undefined : sessionOf(options.state);
    return new OneShotSession({ context, options, command, resume, ...(await surroundingsOf(context, options)) });
  }
}

export async function openAcpSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AcpSession> {
  const resume = options.state === undefined ? undefined : sessionOf(options.state);
  const { env, divergences } = await surroundingsOf(context, options);
  const files = new PrivateFiles(program.id);
  try {
    const { systemPrompt } = options;
    if (systemPrompt !== undefined) env["GEMINI_SYSTEM_MD"] = await files.write("system.md", systemPrompt.text);
    const policy = await files.write("policy.toml", policyOf(options.tools, env));
    const args = argumentsOf(options, policy);
    if (resume !== undefined) await keepHistory(resume, env);
    const child = await context.processes.launch({
      command: command.path,
      args: [...command.args, "--acp", ...args],
      cwd: options.cwd,
      env,
      agent: program.id,
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    void child.exited.then(() => files.remove());
    const giveUp = () => void child.stop({ politely: false });
    options.signal?.addEventListener("abort", giveUp, { once: true });
    try {
      options.signal?.throwIfAborted();
      const session = await openAcp({
        ...options,
        // These stand on the command line.
        model: undefined,
        directories: undefined,
        child,
        name: program.name,
        agent: program.id,
        quirks: quirks(),
        deadlines: context.deadlines,
        limits: context.limits,
        resume,
        divergences,
        // Whoever has closed it may be gone before what is done behind it.
        ended: () => files.remove(),
      });
      if (resume !== undefined) await tidyHistory(resume, env);
      return session;
    } catch (error) {
      await child.stop({ politely: false });
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", giveUp);
    }
  } catch (error) {
    await files.remove();
    throw tooOld(error) ?? error;
  }
}

/** It says which arguments it does not know, and ends. */
function lacks(argument: string, error: unknown): boolean {
  const said = /Unknown arguments?: (.*)/.exec(goneOf(error)?.stderrTail ?? "")?.[1] ?? "";
  return said.split(", ").includes(argument);
}

function tooOld(error: unknown): ReinsError | undefined {
  if (lacks("acp", error) || !lacks("admin-policy", error)) return undefined;
  const message = `This version of ${program.name} takes no policy from Reins, so its tools cannot be held.`;
  return new ReinsError("version_unsupported", message, { agent: program.id, help: program.updateHelp, cause: error });
}
