/** A prompt being written: its text, its attachments, and how to send it. */
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { PromptBody } from "../../server/schemas/common.ts";
import { sentenceOf } from "../state/server.ts";
import { keep, readKept } from "../state/store.ts";
import { useAttachments, type Attachments } from "./attachments.tsx";

export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly attachments: Attachments;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly sending: boolean;
  readonly error: string | undefined;
  /** True when there is something to send and all uploads are done. */
  readonly ready: boolean;
  /**
   * Sends the prompt, or `as` instead of its text. The idempotency key stays the same until the text changes, so a retry after a network
   * failure does not send the prompt twice.
   */
  readonly send: (work: (prompt: PromptBody, key: string) => Promise<() => void>, as?: string) => Promise<void>;
}

/** Keeps the text in the tab's session storage under `name`. */
export function useDraft(name: string): Draft {
  const kept = `draft.${name}`;
  const [text, setText] = useState(() => readKept(kept, "sessionStorage") ?? "");
  useEffect(() => keep(kept, text, "sessionStorage"), [kept, text]);
  const attachments = useAttachments();
  const { bodies } = attachments;
  const field = useRef<HTMLTextAreaElement>(null);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const what = JSON.stringify([text, bodies]);
  const key = useMemo(() => {
    void what;
    return crypto.randomUUID();
  }, [what]);
  useEffect(() => {
    if (window.matchMedia("(hover: hover)").matches) field.current?.focus();
  }, [name]);
  const ready = (text.trim() !== "" || bodies.length > 0) && attachments.ready;
  const send: Draft["send"] = async (work, as = text) => {
    if (!ready || sending) return;
    setSending(true);
    setError(undefined);
    try {
      const goOn = await work(bodies.length === 0 ? as : { text: as, attachments: [...bodies] }, key);
      setText("");
      attachments.clear();
      goOn();
    } catch (thrown) {
      setError(sentenceOf(thrown));
    } finally {
      setSending(false);
      field.current?.focus();
    }
  };
  return { text, setText, attachments, field, sending, error, ready, send };
}
