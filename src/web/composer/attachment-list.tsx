import { classes } from "../ui/classes.ts";
import { Icon } from "../ui/icon.tsx";
import { Spinner } from "../ui/spinner.tsx";
import type { Attachments } from "./use-attachments.ts";

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
