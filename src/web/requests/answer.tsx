import { useState } from "react";
import type { ReplyBody } from "../../server/schemas/turns.ts";
import { timeLeft, useNow } from "../format/format.ts";
import { toast, toastError } from "../state/messages.ts";
import { call, sessionApi, statusOf } from "../state/server.ts";
import { Icon } from "../ui/basics.tsx";

/** Sends the answer once. The request disappears when the log says that it is settled, by this page or by another client. */
export function useAnswer(session: string, requestId: string): readonly [boolean, (reply: ReplyBody["reply"]) => void] {
  const [busy, setBusy] = useState(false);
  const answer = async (reply: ReplyBody["reply"]): Promise<void> => {
    setBusy(true);
    try {
      await call("POST", `${sessionApi(session)}/answers/${encodeURIComponent(requestId)}`, { reply });
    } catch (thrown) {
      if (statusOf(thrown) === 409) toast("Already answered.");
      else {
        toastError(thrown);
        setBusy(false);
      }
    }
  };
  return [busy, (reply) => void answer(reply)];
}

export interface RequestProps<Item> {
  readonly session: string;
  readonly item: Item;
  readonly mayAnswer: boolean;
}

interface TimeLeftProps {
  readonly deadline: string | undefined;
  readonly then: string;
}

export function TimeLeft({ deadline, then }: TimeLeftProps) {
  const now = useNow(1_000);
  if (deadline === undefined) return null;
  return (
    <span className="request-left" title={`${then} after this time without an answer`}>
      <span className="sr-only">{then} without an answer in </span>
      <Icon name="wait" size={14} /> {timeLeft(Date.parse(deadline) - now)}
      <span aria-hidden="true"> left</span>
    </span>
  );
}
