import { lazy, Suspense, useState } from "react";
import { HandoffDialog } from "../session-menu/dialogs.tsx";
import { useAgentNames } from "../state/agents.ts";
import { useStore } from "../state/store.ts";
import { Field } from "../ui/basics.tsx";
import { FormDialog } from "../ui/dialog.tsx";
import { slashDialog, type SlashDialog } from "./dialog-store.ts";

const McpDialog = lazy(async () => ({ default: (await import("../mcp/mcp-panel.tsx")).McpDialog }));

export function SlashDialogs() {
  const shown = useStore(slashDialog);
  if (shown === undefined) return null;
  const onClose = (): void => slashDialog.set(undefined);
  return (
    <Suspense>
      {shown.kind === "mcp" && <McpDialog agent={shown.agent} cwd={shown.cwd} onClose={onClose} />}
      {shown.kind === "token" && <TokenDialog asked={shown} onClose={onClose} />}
      {shown.kind === "handoff" && <HandoffDialog id={shown.session} onClose={onClose} />}
    </Suspense>
  );
}

interface TokenDialogProps {
  readonly asked: Extract<SlashDialog, { kind: "token" }>;
  readonly onClose: () => void;
}

/** Asks for a token without echo. The value stays in the memory of this page. */
function TokenDialog({ asked, onClose }: TokenDialogProps) {
  const [value, setValue] = useState("");
  const name = useAgentNames()(asked.agent);
  const use = async (): Promise<void> => {
    asked.onToken(value.trim());
    onClose();
  };
  return (
    <FormDialog title={`Log In (${name})`} does="Use it" ready={value.trim() !== ""} work={use} onClose={onClose}>
      <p className="quiet-words">
        It is used for sessions that you start in this page, until you close it. It is not stored.
      </p>
      <Field
        label={`Value of ${asked.variable}`}
        data-focus
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={setValue}
      />
    </FormDialog>
  );
}
