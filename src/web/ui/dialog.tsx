/** Dialogs: plain, with a form, and before something is gone for good. */
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { sentenceOf } from "../state/server.ts";
import { Button, classes, IconButton } from "./basics.tsx";
import { Form, Trouble } from "./form.tsx";

/** Something that a dialog does; `error` says why it did not work. */
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
  /** Buttons, the one that is meant last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean | undefined;
  /** Why what it was to do did not work. */
  readonly error?: string | undefined;
}

/** Above everything; it is there while it is rendered. What has `data-focus` has the focus first; the browser keeps it in here. */
export function Dialog({ title, onClose, children, actions, wide = false, error }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // React's own autoFocus comes before it is shown, and is lost.
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
      <Form id={form} className="dialog-form" onSubmit={() => run(work)}>
        {children}
      </Form>
    </Dialog>
  );
}

/** Before something is gone for good. The focus is on keeping it. */
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
