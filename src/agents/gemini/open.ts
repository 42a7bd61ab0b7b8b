/** From options to a conversation that takes prompts. */
import { openAcp } from "../../drivers/acp/index.ts";
import type { AcpSession } from "../../drivers/acp/index.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { defaultsVariable } from "./defaults.ts";
import { keepHistory } from "./history.ts";
import { argumentsOf, environmentOf } from "./launch.ts";
import type { LaunchFiles } from "./launch.ts";
import { hasSystemPolicies, policyOf } from "./policy.ts";
import { program } from "./program.ts";
import { quirksOf } from "./quirks.ts";
import { sessionOf } from "./state.ts";
import { allowedByProject, isTrusted } from "./trust.ts";

/** How the program is started, whichever way it is spoken to. */
export interface Launching {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly command: Command;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly trusted: boolean;
  /** The program's id of an earlier session. */
  readonly resume: string | undefined;
  /** What was asked for and is not done, one sentence each. */
  readonly divergences: readonly string[];
}

export async function openSession(context: AgentContext, options: OpenOptions, command: Command): Promise<AcpSession> {
  const resume = options.state === undefined ? undefined : sessionOf(options.state);
  const files = new PrivateFiles(program.id);
  try {
    const launching = await prepare(context, options, command, resume, files);
    const { session, exited } = await openWithAcp(launching);
    // The program reads its policy again whenever it begins or loads a session.
    void exited.then(() => files.remove());
    return session;
  } catch (error) {
    await files.remove();
    throw error;
  }
}

async function prepare(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  resume: string | undefined,
  files: PrivateFiles,
): Promise<Launching> {
  const given = await writeFiles(context, options, files);
  const args = argumentsOf(options, given);
  const own = environmentOf(context.env, options.env);
  const env = { ...own, ...(await defaultsVariable(own)) };
  if (given.systemPrompt !== undefined) env["GEMINI_SYSTEM_MD"] = given.systemPrompt;
  const divergences: string[] = [];
  const allowed = await allowedByProject(options.cwd);
  if (allowed.length > 0 && (await isTrusted(options.cwd, env))) {
    env["GEMINI_CLI_TRUST_WORKSPACE"] = "false";
    divergences.push(
      `The project's .gemini/settings.json lets tools run unasked (${allowed.join(", ")}), so Gemini CLI works here as in a folder it does not trust.`,
    );
  }
  const trusted = await isTrusted(options.cwd, env);
  if (!trusted && Object.keys(options.mcpServers ?? {}).length > 0)
    divergences.push("Gemini CLI starts no MCP servers in a folder it does not trust.");
  if (options.tools !== undefined && (await hasSystemPolicies()))
    divergences.push("Gemini CLI follows an administrator's policies here and takes no list of tools from Reins.");
  return { context, options, command, args, env, trusted, resume, divergences };
}

async function writeFiles({ env }: AgentContext, options: OpenOptions, files: PrivateFiles): Promise<LaunchFiles> {
  const { systemPrompt, tools } = options;
  return {
    policy: await files.write("policy.toml", policyOf(tools, environmentOf(env, options.env))),
    systemPrompt: systemPrompt === undefined ? undefined : await files.write("system.md", systemPrompt.text),
  };
}

async function openWithAcp(launching: Launching): Promise<{ session: AcpSession; exited: Promise<unknown> }> {
  const { context, options, command, args, env, trusted, resume, divergences } = launching;
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
      quirks: quirksOf({ trusted }),
      deadlines: context.deadlines,
      limits: context.limits,
      resume,
      divergences,
    });
    return { session, exited: child.exited };
  } finally {
    options.signal?.removeEventListener("abort", giveUp);
  }
}
