import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useDoing } from "./use-doing.ts";

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly does: string;
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Before something is gone for good. The focus is on keeping it. */
export function ConfirmDialog({ title, does, work, onClose, children }: ConfirmDialogProps) {
  const { busy, error, run } = useDoing();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      error={error}
      actions={
        <>
          <Button data-focus onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" icon="trash" busy={busy} onClick={() => run(work)}>
            {does}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
