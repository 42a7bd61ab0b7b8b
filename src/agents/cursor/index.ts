/** Cursor on this machine: who it is and what it can do, on either of its two channels. */
import type { Capabilities } from "../../events/capabilities.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { removeAbandonedFiles } from "../shared/private-files.ts";
import { programAgent } from "../shared/program-agent.ts";
import { requireCursor } from "./binary.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { channelIn } from "./channel.ts";
import { keyVariables } from "./environment.ts";
import { recoverHooks } from "./hooks/manage.ts";
import { recoverInstructions, takesInstructions } from "./instructions.ts";
import { management } from "./manage.ts";
import { opening } from "./open.ts";
import { probe } from "./probe.ts";
import { program } from "./program.ts";
import { proof } from "./proof.ts";

export function createAgent(context: AgentContext): Agent {
  const channel = channelIn(context.env);
  const systemPrompt: Capabilities["systemPrompt"] = takesInstructions(context.env) ? ["append"] : [];
  const capabilities: Capabilities = { ...capabilitiesOf[channel], systemPrompt };
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
    recover: async () => {
      await Promise.all([removeAbandonedFiles(program.id), recoverInstructions(context), recoverHooks(context)]);
    },
  };
}

export const recorded = () => import("./recorded.ts");
