import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";

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
          {error !== undefined && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
        </div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}
