/** From options to a conversation that takes prompts. */
import { openAcp } from "../../protocols/acp/index.ts";
import type { AcpSession } from "../../protocols/acp/index.ts";
import { goneOf } from "../../protocols/json-rpc/index.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { requireVersion, tooOld } from "../shared/program/program.ts";
import type { Command } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { keepHistory, tidyHistory } from "./history.ts";
import { argumentsOf, policyOf, surroundingsOf } from "./launch.ts";
import { program, sessionOf } from "./program.ts";
import { quirks } from "./translate.ts";

export async function openSession(context: AgentContext, options: OpenOptions, command: Command): Promise<AcpSession> {
  const resume = options.state === undefined ? undefined : sessionOf(options.state);
  const { env, divergences } = await surroundingsOf(context, options);
  const files = new PrivateFiles(program.id);
  try {
    const { systemPrompt } = options;
    if (systemPrompt !== undefined) env["GEMINI_SYSTEM_MD"] = await files.write("system.md", systemPrompt.text);
    const policy = await files.write("policy.toml", await policyOf(options.tools, env));
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
        failures,
        deadlines: context.deadlines,
        limits: context.limits,
        resume,
        divergences,
        checkVersion: (version) => requireVersion(program, version),
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
    throw isOld(error) ? await tooOld(program, command, context, env, error) : error;
  }
}

/** It names the arguments it does not know, and exits. Without `--admin-policy` its tools could not be held. */
function isOld(error: unknown): boolean {
  const said = /Unknown arguments?: (.*)/.exec(goneOf(error)?.stderrTail ?? "")?.[1] ?? "";
  return said.split(", ").some((argument) => argument === "acp" || argument === "admin-policy");
}
