/** What of an event is said aloud: whole messages, what waits, and how a turn ended; never pieces, and nothing of a subagent's. Pure. */
import type { ReinsEvent } from "../../events/types.ts";
import { endWords } from "../../view/words.ts";

const longest = 400;

export function announcementOf(event: ReinsEvent): string | undefined {
  switch (event.type) {
    case "permission.requested":
      return `Waits for your answer: ${event.title}. Alt A leads to it.`;
    case "question.requested":
      return `A question: ${event.questions.map(({ text }) => text).join(" ")} Alt A leads to it.`;
    case "message.completed": {
      if (event.parent !== undefined || event.text.trim() === "") return undefined;
      return event.text.length > longest ? `${event.text.slice(0, longest)} …` : event.text;
    }
    case "turn.completed":
      return event.outcome === "done" ? undefined : `The turn is over: ${endWords(event)}`;
    default:
      return undefined;
  }
}
