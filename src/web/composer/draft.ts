/** A prompt that is being written: its text, its files, and how it is sent. */
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
  /** There is something to send, and all of it is there. */
  readonly ready: boolean;
  /**
   * Sends it once, or `as` instead of its text. The key is the same until the text changes: sent again after the network failed, it is
   * still one prompt.
   */
  readonly send: (work: (prompt: PromptBody, key: string) => Promise<() => void>, as?: string) => Promise<void>;
}

/** What is written is kept in the browser's tab under `name`. */
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
