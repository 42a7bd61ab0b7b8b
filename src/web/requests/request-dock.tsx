import { useEffect, useRef } from "react";
import type { AgentAnswer } from "../../server/schemas/agents.ts";
import { useShortcut } from "../keyboard.ts";
import type { PermissionItem, QuestionItem } from "../../view/model.ts";
import { PermissionCard } from "./permission-card.tsx";
import { QuestionForm } from "./question-form.tsx";

interface RequestDockProps {
  readonly session: string;
  readonly requests: readonly (PermissionItem | QuestionItem)[];
  readonly mayAnswer: boolean;
  /** True when the server of this page runs the session. */
  readonly held: boolean;
  /** Capabilities of the agent that asks. */
  readonly capabilities: AgentAnswer["capabilities"] | undefined;
  /** Called when the request that had the focus is settled: the focus has to move. */
  readonly onSettled: () => void;
}

/** Pending requests, oldest first, one at a time. Shown above the composer, where they cannot scroll away. */
export function RequestDock({ session, requests, mayAnswer, held, capabilities, onSettled }: RequestDockProps) {
  const dock = useRef<HTMLDivElement>(null);
  useShortcut({ keys: "Alt+a", label: "Go to the waiting request", group: "In a session", whileWriting: true }, () =>
    dock.current?.querySelector<HTMLElement>("fieldset input, .request-answers button:not(:disabled)")?.focus(),
  );
  const [asked] = requests;
  // A server sets no deadline while a client that may answer is connected, and this page is one.
  const first = asked !== undefined && held && mayAnswer ? { ...asked, deadline: undefined } : asked;
  const within = useRef(false);
  useEffect(() => {
    // The focus was lost with the request. Do not move it to the next request: a held key would answer that one.
    if (within.current && document.activeElement === document.body) onSettled();
    within.current = false;
  }, [first?.requestId, onSettled]);
  const more = requests.length - 1;
  return (
    <div ref={dock} className="dock" onFocus={() => (within.current = true)}>
      {first !== undefined && (
        <>
          {first.kind === "permission" ? (
            <PermissionCard
              key={first.requestId}
              session={session}
              item={first}
              mayAnswer={mayAnswer}
              capabilities={capabilities}
            />
          ) : (
            <QuestionForm key={first.requestId} session={session} item={first} mayAnswer={mayAnswer} />
          )}
          {more > 0 && (
            <p className="dock-more">{more === 1 ? "One more request" : `${more} more requests`} after this.</p>
          )}
        </>
      )}
    </div>
  );
}
