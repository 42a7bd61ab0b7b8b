import { useId } from "react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useDoing } from "./use-doing.ts";

interface FormDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly does: string;
  /** Whether what is written can be used. */
  readonly ready: boolean;
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something to be written, and done with the button or with Enter. */
export function FormDialog({ title, does, ready, work, onClose, children }: FormDialogProps) {
  const { busy, error, run } = useDoing();
  const form = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      error={error}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} busy={busy} disabled={!ready}>
            {does}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(work);
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
