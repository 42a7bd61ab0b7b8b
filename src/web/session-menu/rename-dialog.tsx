import { useState } from "react";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { call } from "../state/api.ts";
import { knowSession, useSummary } from "../state/sessions.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";

export function RenameDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const [title, setTitle] = useState(session?.title ?? "");
  const rename = async (): Promise<void> => {
    const path = `/api/sessions/${encodeURIComponent(id)}`;
    const changed = await call<SessionSummary>("PATCH", path, { title: title.trim() });
    if (session !== undefined) knowSession({ ...session, title: changed.title ?? title.trim() });
    onClose();
  };
  return (
    <FormDialog title="Rename the session" does="Rename" ready={title.trim() !== ""} work={rename} onClose={onClose}>
      <Field label="Title">
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
    </FormDialog>
  );
}
