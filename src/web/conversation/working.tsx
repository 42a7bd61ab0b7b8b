import { createContext, use, useEffect, useState } from "react";
import type { TurnEntry } from "../../view/model.ts";

const phases: Readonly<Record<NonNullable<TurnEntry["phase"]>, string>> = {
  model: "The model is at work",
  tool: "Using a tool",
  person: "Waiting for you",
  retry: "Trying again",
  compact: "Shortening the conversation",
  background: "Waiting for work in the background",
};

/** Whether something waits for the person, whatever the turn itself says. */
export const WaitingContext = createContext(false);

/** Shown after so long: a turn of a moment needs no clock. */
const clockFrom = 3;

export function Working({ turn }: { readonly turn: TurnEntry }) {
  const seconds = useSeconds(turn.startedAt);
  const waiting = use(WaitingContext);
  const phase = waiting ? "person" : turn.phase;
  return (
    <p className="working">
      <span className="working-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      <span>{phase === undefined ? "Working" : phases[phase]}</span>
      {seconds >= clockFrom && <span className="working-time">{seconds} s</span>}
    </p>
  );
}

function useSeconds(since: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
}
