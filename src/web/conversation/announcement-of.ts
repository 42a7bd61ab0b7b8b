/** What of an event is said aloud: whole messages, what waits, and how a turn ended; never pieces, and nothing of a subagent's. Pure. */
import type { ReinsEvent } from "../../events/types.ts";
import type { PermissionItem, QuestionItem } from "../../view/model.ts";
import { endWords } from "../../view/words.ts";

const longest = 400;

export function announcementOf(event: ReinsEvent): string | undefined {
  switch (event.type) {
    case "permission.requested":
      return permissionSentence(event);
    case "question.requested":
      return questionSentence(event);
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

/** What waited already when the session was opened: the first, which is the one that is answered next, and how many there are besides. */
export function waitingWords(requests: readonly (PermissionItem | QuestionItem)[]): string | undefined {
  const [first, ...others] = requests;
  if (first === undefined) return undefined;
  const sentence = first.kind === "permission" ? permissionSentence(first) : questionSentence(first);
  return others.length === 0 ? sentence : `${sentence} After it ${others.length} more.`;
}

const permissionSentence = ({ title }: Pick<PermissionItem, "title">): string =>
  `Waits for your answer: ${title}. Alt A leads to it.`;

const questionSentence = ({ questions }: Pick<QuestionItem, "questions">): string =>
  `A question: ${questions.map(({ text }) => text).join(" ")} Alt A leads to it.`;
