import { useSummary } from "../state/sessions.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";

/** The same session from somewhere else: it is kept by Reins, and not by this page. */
export function ElsewhereDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const ways = [
    { label: "In a terminal", text: `reins resume ${id} "..."` },
    { label: "Read it there", text: `reins log ${id}` },
    { label: "In a program", text: `await reins.session({ resume: "${id}" })` },
    { label: "Its folder", text: session?.cwd },
    { label: "What its agent itself calls it", text: session?.state },
  ];
  return (
    <Dialog title="Go on elsewhere" onClose={onClose}>
      <p className="quiet-words">
        The session is kept on this machine. Whoever goes on with it sees all of it, and so will this page.
      </p>
      <dl className="ways">
        {ways.map(
          ({ label, text }) =>
            text !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <code>{text}</code>
                  <CopyButton text={() => text} label={`Copy: ${label.toLowerCase()}`} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </Dialog>
  );
}
