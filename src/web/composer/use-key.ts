import { useMemo } from "react";
import type { AttachmentBody } from "../../server/schemas/prompt.ts";

/** One for each text that is to be sent: sent again after the network failed, it is still one prompt. */
export function useKey(text: string, attachments: readonly AttachmentBody[]): string {
  const what = JSON.stringify([text, attachments]);
  return useMemo(() => {
    void what;
    return crypto.randomUUID();
  }, [what]);
}
