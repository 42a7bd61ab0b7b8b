import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";

const formats = [
  { format: "html", label: "A page", detail: "One file that opens in any browser and loads nothing." },
  { format: "md", label: "Markdown", detail: "To read, or to paste into something else." },
  { format: "jsonl", label: "Events", detail: "Every event, one line of JSON each, for programs." },
] as const;

export function ExportDialog({ id, onClose }: SessionDialogProps) {
  const [thoughts, setThoughts] = useState(false);
  const address = (format: string): string =>
    `/api/sessions/${encodeURIComponent(id)}/export?format=${format}${thoughts ? "&thoughts=true" : ""}`;
  return (
    <Dialog title="Export the session" onClose={onClose}>
      <label className="check-line">
        <input type="checkbox" checked={thoughts} onChange={(event) => setThoughts(event.target.checked)} />
        With what the agent thought
      </label>
      <ul className="picks">
        {formats.map(({ format, label, detail }) => (
          <li key={format}>
            <a
              className="pick"
              data-focus={format === formats[0].format || undefined}
              href={address(format)}
              download={`${id}.${format}`}
              onClick={onClose}
            >
              <Icon name="down" />
              <span className="pick-words">
                <span className="pick-name">{label}</span>
                <small>{detail}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
