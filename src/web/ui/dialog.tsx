/** Dialogs: plain, with a form, and for confirming a destructive action. */
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { sentenceOf } from "../state/server.ts";
import { Button, classes, IconButton } from "./basics.tsx";
import { Form, Trouble } from "./form.tsx";

/** Runs an action of a dialog; `error` says why it failed. */
export function useDoing() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    work()
      .catch((thrown: unknown) => setError(sentenceOf(thrown)))
      .finally(() => setBusy(false));
  };
  return { busy, error, run };
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, with the primary one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean | undefined;
  /** Why the action failed. */
  readonly error?: string | undefined;
}

/** A modal dialog, open while it is rendered. The element with `data-focus` gets the focus first; the browser traps the focus. */
export function Dialog({ title, onClose, children, actions, wide = false, error }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // React's autoFocus runs before the dialog is shown and has no effect.
    const wanted = dialog?.querySelector<HTMLElement>("[data-focus]");
    wanted?.focus();
    if (wanted instanceof HTMLInputElement && wanted.type === "text") wanted.select();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={classes("dialog", wide && "wide")}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className="dialog-inside">
        <header>
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" label="Close" tipAt="below-end" size="small" onClick={onClose} />
        </header>
        <div className="dialog-body">
          {children}
          <Trouble text={error} />
        </div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly does: string;
  /** True when the form can be submitted. */
  readonly ready: boolean;
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form, submitted by the button or with Enter. */
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
      <Form id={form} className="dialog-form" onSubmit={() => run(work)}>
        {children}
      </Form>
    </Dialog>
  );
}

/** Confirms a destructive action. The focus starts on the button that changes nothing. */
export function ConfirmDialog({ title, does, work, onClose, children }: Omit<FormDialogProps, "ready">) {
  const { busy, error, run } = useDoing();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      error={error}
      actions={
        <>
          <Button data-focus onClick={onClose}>
            Cancel
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
