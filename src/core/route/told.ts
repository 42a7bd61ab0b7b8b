/** What an agent is sent when it takes a turn over, or goes on with one after a wait. */
import type { PromptInput } from "../../agents/contract.ts";

/** The person's own words stand last as well, unless they are long and in the briefing already. */
const long = 2000;

export function behindBriefing(briefing: string, input: PromptInput): PromptInput {
  if (briefing === "") return input;
  const told = input.text.length > long && briefing.includes(input.text);
  return { ...input, text: `${briefing}\n\n---\n\n${told ? "Go on with the newest wish." : input.text}` };
}

/** For one that had begun to work on the prompt before it was waited for. */
export const goOn: PromptInput = {
  text: "You were interrupted by a limit that is over now. Go on with what you were doing.",
};
