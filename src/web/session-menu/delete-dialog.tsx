import { call } from "../state/api.ts";
import { navigate } from "../state/route.ts";
import { forgetSession, useSummary } from "../state/sessions.ts";
import { toast } from "../state/toasts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";

export function DeleteDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const remove = async (): Promise<void> => {
    await call("DELETE", `/api/sessions/${encodeURIComponent(id)}`);
    forgetSession(id);
    navigate("/new", { replace: true });
    toast("The session is deleted.", "good");
  };
  return (
    <ConfirmDialog title="Delete the session?" does="Delete for good" work={remove} onClose={onClose}>
      <p>
        <strong dir="auto">{session?.title ?? id}</strong>
      </p>
      <p className="quiet-words">
        Its conversation is removed from this machine for good. Files that were changed in the folder stay as they are.
      </p>
    </ConfirmDialog>
  );
}
