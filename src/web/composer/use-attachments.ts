/** Files that are to go along with a prompt: sent to the server as soon as they are dropped, pasted or chosen. */
import { useEffect, useRef, useState } from "react";
import type { UploadAnswer } from "../../server/schemas/access.ts";
import type { AttachmentBody } from "../../server/schemas/prompt.ts";
import { sentenceOf, upload } from "../state/api.ts";

export interface Attached {
  readonly key: number;
  readonly name: string;
  readonly isImage: boolean;
  /** To look at: an address of this page's own. */
  readonly preview: string | undefined;
  /** On the server; undefined while it is on its way. */
  readonly id: string | undefined;
  readonly error: string | undefined;
}

const mostBytes = 20 * 1024 * 1024;
/** What a browser shows without running anything in it. */
const shown = /^image\/(?:png|jpeg|gif|webp|avif)$/;
let last = 0;

export interface Attachments {
  readonly all: readonly Attached[];
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (key: number) => void;
  readonly clear: () => void;
  /** None is still on its way, and none failed. */
  readonly ready: boolean;
  readonly bodies: readonly AttachmentBody[];
}

export function useAttachments(): Attachments {
  const [all, setAll] = useState<readonly Attached[]>([]);
  const latest = useRef(all);
  useEffect(() => {
    latest.current = all;
  });
  useEffect(() => () => latest.current.forEach(revoke), []);

  const change = (key: number, what: Partial<Attached>): void =>
    setAll((now) => now.map((one) => (one.key === key ? { ...one, ...what } : one)));
  const send = async (key: number, file: File): Promise<void> => {
    if (file.size > mostBytes) return change(key, { error: "It is larger than 20 MB." });
    try {
      const { id } = await upload<UploadAnswer>(file, file.name);
      change(key, { id });
    } catch (thrown) {
      change(key, { error: sentenceOf(thrown) });
    }
  };

  return {
    all,
    add(files) {
      for (const file of files) {
        const key = ++last;
        const isImage = file.type.startsWith("image/");
        const preview = shown.test(file.type) ? URL.createObjectURL(file) : undefined;
        setAll((now) => [
          ...now,
          { key, name: file.name || "image", isImage, preview, id: undefined, error: undefined },
        ]);
        void send(key, file);
      }
    },
    remove(key) {
      all.filter((one) => one.key === key).forEach(revoke);
      setAll((now) => now.filter((one) => one.key !== key));
    },
    clear() {
      all.forEach(revoke);
      setAll([]);
    },
    ready: all.every((one) => one.id !== undefined),
    bodies: all.flatMap(({ id }) => (id === undefined ? [] : [{ kind: "upload" as const, id }])),
  };
}

function revoke({ preview }: Attached): void {
  if (preview !== undefined) URL.revokeObjectURL(preview);
}
