import { call } from "../state/api.ts";
import { navigate } from "../state/route.ts";
import { forgetSession, useSummary } from "../state/sessions.ts";
import { toast } from "../state/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";
import { useDoing } from "./use-doing.ts";

export function DeleteDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const { busy, error, run } = useDoing();
  const remove = (): void =>
    run(async () => {
      await call("DELETE", `/api/sessions/${encodeURIComponent(id)}`);
      forgetSession(id);
      navigate("/new", { replace: true });
      toast("The session is deleted.", "good");
    });
  return (
    <Dialog
      title="Delete the session?"
      onClose={onClose}
      actions={
        <>
          <Button data-focus onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" icon="trash" busy={busy} onClick={remove}>
            Delete for good
          </Button>
        </>
      }
    >
      <p>
        <strong dir="auto">{session?.title ?? id}</strong>
      </p>
      <p className="quiet-words">
        Its conversation is removed from this machine for good. Files that were changed in the folder stay as they are.
      </p>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}
