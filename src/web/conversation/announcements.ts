import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { endWords } from "../../view/labels.ts";
import type { PermissionItem, QuestionItem } from "../../view/model.ts";
import { announce } from "../state/messages.ts";
import { useEvents, type SessionState } from "../state/session.ts";

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
      return event.outcome === "done" ? undefined : `Turn finished: ${endWords(event)}`;
    default:
      return undefined;
  }
}

/** Describes the request to answer next, and how many more are pending. */
export function waitingWords(requests: readonly (PermissionItem | QuestionItem)[]): string | undefined {
  const [first, ...others] = requests;
  if (first === undefined) return undefined;
  const sentence = first.kind === "permission" ? permissionSentence(first) : questionSentence(first);
  return others.length === 0 ? sentence : `${sentence} ${others.length} more waiting.`;
}

const permissionSentence = ({ title }: Pick<PermissionItem, "title">): string =>
  `Waiting for approval: ${title}. Press Alt A to answer.`;

const questionSentence = ({ questions }: Pick<QuestionItem, "questions">): string =>
  `Question: ${questions.map(({ text }) => text).join(" ")} Press Alt A to answer.`;

/** Announces the shown session to screen readers: first the requests that were pending when it was opened, then new events. */
export function useAnnouncements({ id, caughtUp, requests }: Pick<SessionState, "id" | "caughtUp" | "requests">): void {
  /** A request may arrive just before the initial state is shown; announce it only once. */
  const told = useRef(new Set<string>());
  const listener = useCallback((event: ReinsEvent) => {
    const sentence = announcementOf(event);
    if (sentence === undefined) return;
    if ("requestId" in event) told.current.add(event.requestId);
    announce(oneLine(sentence));
  }, []);
  useEvents(id, listener);
  const sayWhatWaits = useEffectEvent(() => {
    const sentence = waitingWords(requests.filter(({ requestId }) => !told.current.has(requestId)));
    for (const { requestId } of requests) told.current.add(requestId);
    if (sentence !== undefined) announce(oneLine(sentence));
  });
  useEffect(() => {
    if (caughtUp) sayWhatWaits();
  }, [caughtUp]);
}
