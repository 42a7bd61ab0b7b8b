import type { AcpSession } from "../../protocols/acp/index.ts";
import { goneOf } from "../../protocols/json-rpc/index.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { startAcp } from "../shared/acp/start.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { tooOld, type Command } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { keepHistory, tidyHistory } from "./history.ts";
import { argumentsOf, environmentFor, policyOf } from "./launch.ts";
import { program, sessionOf } from "./program.ts";
import { quirks } from "./translate.ts";

export async function openSession(context: AgentContext, options: OpenOptions, command: Command): Promise<AcpSession> {
  const resume = options.state === undefined ? undefined : sessionOf(options.state);
  const { env, divergences } = await environmentFor(context, options);
  const files = new PrivateFiles(program.id);
  const cleanUp = () => files.remove();
  try {
    const { systemPrompt } = options;
    if (systemPrompt !== undefined) env["GEMINI_SYSTEM_MD"] = await files.write("system.md", systemPrompt.text);
    const policy = await files.write("policy.toml", await policyOf(options.tools, env));
    const args = ["--acp", ...argumentsOf(options, policy)];
    if (resume !== undefined) await keepHistory(resume, env);
    // The model and the directories are on the command line.
    const opened = { ...options, model: undefined, directories: undefined };
    const start = { program, command, args, env, quirks: quirks(), failures, resume, divergences, cleanUp };
    const session = await startAcp(context, opened, start);
    if (resume === undefined) return session;
    await tidyHistory(resume, env).catch(async (error: unknown) => {
      await session.close();
      throw error;
    });
    return session;
  } catch (error) {
    await cleanUp();
    throw isOld(error) ? await tooOld(program, command, context, env, error) : error;
  }
}

/** An old version names the arguments that it does not know, and exits. Without `--admin-policy` its tools could not be held. */
function isOld(error: unknown): boolean {
  const said = /Unknown arguments?: (.*)/.exec(goneOf(error)?.stderrTail ?? "")?.[1] ?? "";
  return said.split(", ").some((argument) => argument === "acp" || argument === "admin-policy");
}
