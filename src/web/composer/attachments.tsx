/** Attachments of a prompt. A file is uploaded as soon as it is dropped, pasted or chosen. */
import { useEffect, useRef, useState } from "react";
import type { UploadAnswer } from "../../server/schemas/settings.ts";
import type { AgentAnswer } from "../../server/schemas/agents.ts";
import type { AttachmentBody } from "../../server/schemas/common.ts";
import { sentenceOf, upload } from "../state/server.ts";
import { classes, Icon, Spinner } from "../ui/basics.tsx";

interface Attached {
  readonly key: number;
  readonly name: string;
  readonly isImage: boolean;
  /** Object URL of the preview image. */
  readonly preview: string | undefined;
  /** Id on the server; undefined while uploading. */
  readonly id: string | undefined;
  readonly error: string | undefined;
}

const mostBytes = 20 * 1024 * 1024;
/** Image types that a browser shows without running anything in them. */
const shown = /^image\/(?:png|jpeg|gif|webp|avif)$/;
let last = 0;

export interface Attachments {
  readonly all: readonly Attached[];
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (key: number) => void;
  readonly clear: () => void;
  /** True when every upload has finished without an error. */
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
    if (file.size > mostBytes) return change(key, { error: "Larger than 20 MB." });
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

export function AttachmentList({ attachments }: { readonly attachments: Attachments }) {
  if (attachments.all.length === 0) return null;
  return (
    <ul className="attachments" aria-label="Attachments">
      {attachments.all.map(({ key, name, isImage, preview, id, error }) => (
        <li key={key} className={classes("attachment", error !== undefined && "bad")}>
          {preview === undefined ? (
            <Icon name={isImage ? "image" : "file"} />
          ) : (
            <img src={preview} alt={`Preview of ${name}`} />
          )}
          <span className="attachment-words">
            <bdi>{name}</bdi>
            {error !== undefined && <small role="alert">{error}</small>}
          </span>
          {id === undefined && error === undefined && <Spinner />}
          <button
            type="button"
            className="attachment-remove"
            aria-label={`Remove ${name}`}
            onClick={() => attachments.remove(key)}
          >
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface UnheardProps {
  readonly agent: AgentAnswer | undefined;
  readonly attachments: Attachments;
}

/** Warns before sending about attachments that the agent cannot read. */
export function Unheard({ agent, attachments }: UnheardProps) {
  const can = agent?.capabilities;
  if (can === undefined) return null;
  const images = !can.images && attachments.all.some(({ isImage }) => isImage);
  const files = !can.files && attachments.all.some(({ isImage }) => !isImage);
  if (!images && !files) return null;
  const what = [images && "images", files && "files"].filter((word) => word !== false).join(" and ");
  return (
    <p className="composer-warning" role="status">
      {agent?.name} does not accept {what}. They will not be sent.
    </p>
  );
}
