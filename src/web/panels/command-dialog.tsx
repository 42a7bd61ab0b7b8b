import type { CommandAnswer } from "../../server/schemas/agents.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { commandLine } from "./command-line.ts";

interface CommandDialogProps {
  readonly title: string;
  readonly command: CommandAnswer;
  readonly onClose: () => void;
}

/** The page runs nothing by itself: this is for a terminal of the person's own. */
export function CommandDialog({ title, command, onClose }: CommandDialogProps) {
  const line = commandLine(command);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Run this in a terminal of yours, then come back and let it look again.</p>
      <div className="command-line">
        <code>{line}</code>
        <CopyButton text={() => line} label="Copy the command" />
      </div>
      {command.withoutBrowser !== undefined && <p className="quiet-words">{command.withoutBrowser}</p>}
    </Dialog>
  );
}
