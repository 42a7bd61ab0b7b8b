/** From options to a conversation that takes prompts, over the channel that was chosen. */
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import type { Command } from "../shared/program.ts";
import type { Channel } from "./channel.ts";
import { lendInstructions } from "./instructions.ts";
import type { Instructions } from "./instructions.ts";
import { remarked } from "./remarks.ts";

type Open = (context: AgentContext, options: OpenOptions, command: Command) => Promise<AgentSession>;

export const opening: Readonly<Record<Channel, Open>> = {
  acp: instructed(async (...given) => (await import("./local/acp-open.ts")).openOverAcp(...given)),
  print: instructed(async (...given) => (await import("./local/print-open.ts")).openPrint(...given)),
};

/** With the system prompt where Cursor looks for one, for as long as the session lives. */
function instructed(open: Open): Open {
  return async (context, options, command) => {
    const instructions = await lendInstructions(context, options);
    if (instructions === undefined) return open(context, options, command);
    try {
      // What stands in a file is not told in another way too.
      const rest = instructions.missing === undefined ? { ...options, systemPrompt: undefined } : options;
      return lasting(await open(context, rest, command), instructions);
    } catch (error) {
      instructions.giveBack();
      throw error;
    }
  };
}

function lasting(session: AgentSession, instructions: Instructions): AgentSession {
  return {
    events: instructions.missing === undefined ? session.events : remarked([instructions.missing], session.events),
    get state() {
      return session.state;
    },
    startsAhead: session.startsAhead,
    prompt: (input, ready) => session.prompt(input, ready),
    answer: (requestId, answer) => session.answer(requestId, answer),
    configure: (change) => session.configure(change),
    cancel: () => session.cancel(),
    close: () => session.close().finally(() => instructions.giveBack()),
  };
}
