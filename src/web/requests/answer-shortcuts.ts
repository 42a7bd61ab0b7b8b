import { useEffect, useRef, useState, type RefObject } from "react";
import { answerPressed, answersAfterMs, type Answer, type AnswerableRequest } from "../../view/answer-keys.ts";
import type { AgentAnswer } from "../../server/schemas/agents.ts";

/** True when a letter may answer a request at the focused element. Other fields, such as the search, keep their letters. */
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

/** Listens for the answer keys of the pending request. Returns whether the keys are active yet. */
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
      // A held-down key would answer the next request too.
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
    // Capture the key before the prompt and the page's shortcuts see it.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [armed]);
  return armed;
}
