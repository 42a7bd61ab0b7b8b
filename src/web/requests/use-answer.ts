import { useState } from "react";
import type { ReplyBody } from "../../server/schemas/turns.ts";
import { ApiError, call } from "../state/api.ts";
import { toast, toastError } from "../state/toasts.ts";

/** Sends the answer once. It goes away when the log says that it is settled, whoever settled it. */
export function useAnswer(session: string, requestId: string): readonly [boolean, (reply: ReplyBody["reply"]) => void] {
  const [busy, setBusy] = useState(false);
  const answer = async (reply: ReplyBody["reply"]): Promise<void> => {
    setBusy(true);
    try {
      const path = `/api/sessions/${encodeURIComponent(session)}/answers/${encodeURIComponent(requestId)}`;
      await call("POST", path, { reply });
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 409) toast("It was answered already.");
      else {
        toastError(thrown);
        setBusy(false);
      }
    }
  };
  return [busy, (reply) => void answer(reply)];
}
