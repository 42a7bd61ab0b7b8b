/** What an agent is sent when it takes a turn over, or goes on with one after a wait. */
import type { PromptInput } from "../../agents/contract.ts";

const goOn = "Go on with the newest wish. Look at what is there before you do anything twice.";

/** The prompt behind the briefing. The briefing has it already, unless it was too long for it or has something secret in it. */
export function behindBriefing(briefing: string, input: PromptInput): PromptInput {
  if (briefing === "") return input;
  const rest = briefing.includes(input.text) ? goOn : input.text;
  return { ...input, text: `${briefing}\n\n---\n\n${rest}` };
}

/** For the one that was waited for: the prompt, or where it had begun to work on it, that it can go on. */
export function onceMore(input: PromptInput, begun: boolean): PromptInput {
  return begun ? { text: "You were interrupted by a limit that is over now. Go on with what you were doing." } : input;
}
