import { useEffect, useRef, useState, type RefObject } from "react";
import { answerPressed, answersAfterMs, type Answer, type AnswerableRequest } from "../../view/answer-keys.ts";
import type { AgentAnswer } from "../../server/schemas/agents.ts";

/** Whether a letter may answer where the focus is. Fields of their own, such as the search, keep their letters. */
function isPromptEmpty(target: EventTarget | null, card: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches(".prompt-field")) return target.dataset["empty"] !== undefined;
  if (target.isContentEditable || target.matches("input, textarea, select")) return false;
  return card?.contains(target) === true || document.querySelector(".prompt-field:not([data-empty])") === null;
}

interface AnswerShortcuts {
  readonly card: RefObject<HTMLElement | null>;
  readonly request: AnswerableRequest;
  readonly capabilities: AgentAnswer["capabilities"] | undefined;
  readonly disabled: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

/** The keys of a request that waits. Returns whether they count already. */
export function useAnswerShortcuts(shortcuts: AnswerShortcuts): boolean {
  const [armed, setArmed] = useState(false);
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), answersAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!armed) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { card, request, capabilities, disabled, onAnswer } = latest.current;
      // A key that is held down would answer the next request too.
      if (disabled || event.isComposing || event.repeat || document.querySelector("dialog[open]") !== null) return;
      const pressed = {
        key: event.key.toLowerCase(),
        alt: event.altKey,
        ctrl: event.ctrlKey || event.metaKey,
        promptEmpty: isPromptEmpty(event.target, card.current),
      };
      const answer = answerPressed(pressed, request, capabilities);
      if (answer === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      onAnswer(answer);
    };
    // Before the prompt and the shortcuts of the page see it.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [armed]);
  return armed;
}
