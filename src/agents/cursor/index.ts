/** Cursor on this machine: who it is and what it can do, on either of its two channels. */
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/private-files.ts";
import { programAgent } from "../shared/program-agent.ts";
import { requireCursor } from "./binary.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { channelIn } from "./channel.ts";
import { keyVariables } from "./environment.ts";
import { management } from "./manage.ts";
import { opening } from "./open.ts";
import { probe } from "./probe.ts";
import { program } from "./program.ts";
import { proof } from "./proof.ts";

export function createAgent(context: AgentContext): Agent {
  const channel = channelIn(context.env);
  const capabilities = capabilitiesOf[channel];
  const openSession = opening[channel];
  return {
    ...programAgent(context, {
      program,
      capabilities,
      probe,
      find: requireCursor,
      openSession,
      management,
      keyVariables,
      proof,
    }),
    recover: () => removeAbandonedFiles(program.id),
  };
}

export const recorded = () => import("./recorded.ts");
