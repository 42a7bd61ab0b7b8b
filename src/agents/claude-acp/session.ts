import type { AgentContext, OpenOptions } from "../contract.ts";
import { openRestarting, type RestartingSession } from "../shared/acp/restart.ts";
import { startAcp } from "../shared/acp/start.ts";
import type { Command } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { environmentOf } from "./launch.ts";
import { quirksWith } from "./options.ts";
import { program } from "./program.ts";

export function openSession(context: AgentContext, options: OpenOptions, command: Command): Promise<RestartingSession> {
  const env = environmentOf(context.env, options.env);
  return openRestarting(program, options, (mode, model, resume) => {
    const started = { ...options, mode, model };
    const args = options.extraArgs ?? [];
    return startAcp(context, started, { program, command, args, env, quirks: quirksWith(started), failures, resume });
  });
}
