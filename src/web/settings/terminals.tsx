/** The terminals that are held on the machine of the server: what is on their screens, how to go back to one, and its end. */
import { useEffect, useState } from "react";
import { oneLine } from "../../events/printable.ts";
import type { TerminalInfo, TerminalScreen } from "../../server/schemas/terminals.ts";
import { moment } from "../format/format.ts";
import { toast } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { call, sentenceOf } from "../state/server.ts";
import { Button, IconButton, Pending } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ConfirmDialog, Dialog } from "../ui/dialog.tsx";

const address = ({ id }: TerminalInfo): string => `/api/terminals/${encodeURIComponent(id)}`;

export function Terminals() {
  const { value, error, reload } = useRemote<{ readonly terminals: readonly TerminalInfo[] }>("/api/terminals");
  const [open, setOpen] = useState<TerminalInfo>();
  const [ending, setEnding] = useState<TerminalInfo>();
  const close = (): void => {
    setOpen(undefined);
    setEnding(undefined);
    reload();
  };
  const end = async (terminal: TerminalInfo): Promise<void> => {
    await call("DELETE", address(terminal));
    toast(`${terminal.agent} has ended.`, "good");
    close();
  };
  return (
    <section aria-label="Terminals" className="cards">
      <h2>Terminals</h2>
      <Pending value={value} error={error} />
      {value?.terminals.length === 0 && (
        <p className="quiet-words">
          None is held. <code>reins attach &lt;agent&gt;</code> starts an agent's own interface; one that you detach
          from is listed here.
        </p>
      )}
      {value !== undefined && value.terminals.length > 0 && (
        <ul className="rules">
          {value.terminals.map((terminal) => (
            <li key={terminal.id} className="rule">
              <div className="rule-words">
                <bdi>{oneLine(terminal.argv.join(" "))}</bdi>
                <small>
                  Since {moment(terminal.startedAt)} in <bdi>{oneLine(terminal.cwd)}</bdi>
                </small>
              </div>
              <Button
                size="small"
                onClick={() => setOpen(terminal)}
                aria-label={`Open the terminal of ${terminal.agent}`}
              >
                Open
              </Button>
              <IconButton
                icon="trash"
                label={`End ${terminal.agent}`}
                size="small"
                tipAt="below-end"
                onClick={() => setEnding(terminal)}
              />
            </li>
          ))}
        </ul>
      )}
      {open !== undefined && <TerminalDialog terminal={open} onClose={close} />}
      {ending !== undefined && (
        <ConfirmDialog title={`End ${ending.agent}?`} does="End it" work={() => end(ending)} onClose={close}>
          <p>The program and everything it has started ends. Its recording stays.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** How often the screen is read while somebody looks. */
const refreshMs = 2_000;

interface TerminalDialogProps {
  readonly terminal: TerminalInfo;
  readonly onClose: () => void;
}

/** The text on its screen. Keys can only be typed in a terminal. */
function TerminalDialog({ terminal, onClose }: TerminalDialogProps) {
  const { value, error, reload } = useRemote<TerminalScreen>(address(terminal));
  useEffect(() => {
    const timer = setInterval(reload, refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  const command = `reins attach ${terminal.id}`;
  return (
    <Dialog
      title={`Terminal of ${terminal.agent}`}
      wide
      onClose={onClose}
      error={error === undefined ? undefined : sentenceOf(error)}
    >
      <p>
        <code>{command}</code> <CopyButton text={() => command} label="Copy the command" /> goes back to it, in a
        terminal on the machine of the server.
      </p>
      {value?.screen.columns === 0 && <p>It begins when the first terminal shows it.</p>}
      {value !== undefined && value.screen.columns > 0 && (
        <pre className="terminal-screen" tabIndex={0} role="region" aria-label="Screen">
          {value.screen.lines.join("\n").trimEnd()}
        </pre>
      )}
    </Dialog>
  );
}
