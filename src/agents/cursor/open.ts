/** From options to a conversation that takes prompts, over the channel that was chosen. */
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import type { Command } from "../shared/program.ts";
import type { Channel } from "./channel.ts";

type Open = (context: AgentContext, options: OpenOptions, command: Command) => Promise<AgentSession>;

export const opening: Readonly<Record<Channel, Open>> = {
  acp: async (...given) => (await import("./local/acp-open.ts")).openOverAcp(...given),
  print: async (...given) => (await import("./local/print-open.ts")).openPrint(...given),
};
