import { useId, useState } from "react";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { call } from "../state/api.ts";
import { knowSession, useSummary } from "../state/sessions.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";
import { useDoing } from "../ui/use-doing.ts";

export function RenameDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const [title, setTitle] = useState(session?.title ?? "");
  const { busy, error, run } = useDoing();
  const form = useId();
  const rename = (): void =>
    run(async () => {
      const path = `/api/sessions/${encodeURIComponent(id)}`;
      const changed = await call<SessionSummary>("PATCH", path, { title: title.trim() });
      if (session !== undefined) knowSession({ ...session, title: changed.title ?? title.trim() });
      onClose();
    });
  return (
    <Dialog
      title="Rename the session"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} busy={busy} disabled={title.trim() === ""}>
            Rename
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Field label="Title" error={error}>
          {(control) => (
            <input
              {...control}
              type="text"
              data-focus
              required
              maxLength={200}
              dir="auto"
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
