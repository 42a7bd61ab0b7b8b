import { useState } from "react";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { useShortcut } from "../keyboard.ts";
import { toast, toastError } from "../state/messages.ts";
import { navigate, sessionPath } from "../state/route.ts";
import { call, may, sessionApi, useMe } from "../state/server.ts";
import { knowSession, useSummary } from "../state/sessions.ts";
import { slashDialog } from "../slash/dialog-store.ts";
import { IconButton } from "../ui/basics.tsx";
import { Menu, type MenuItem } from "../ui/popup.tsx";
import { DeleteDialog, ElsewhereDialog, ExportDialog, HandoffDialog, RenameDialog } from "./dialogs.tsx";
import "./session-menu.css";

const dialogs = {
  rename: RenameDialog,
  handoff: HandoffDialog,
  export: ExportDialog,
  elsewhere: ElsewhereDialog,
  delete: DeleteDialog,
} as const;

export function SessionMenu({ id }: { readonly id: string }) {
  const [asked, setAsked] = useState<keyof typeof dialogs>();
  const me = useMe();
  const session = useSummary(id);
  const mayPrompt = may(me, "prompt");
  const running = session?.running === true;
  const agent = session?.agent;
  const group = "In a session";
  useShortcut({ keys: "r", label: "Rename session", group }, () => mayPrompt && setAsked("rename"));
  useShortcut({ keys: "h", label: "Hand off to another agent", group }, () => mayPrompt && setAsked("handoff"));

  const denied = (needed: boolean): Pick<MenuItem, "disabled" | "hint"> =>
    needed ? {} : { disabled: true, hint: "Not allowed by your token." };
  const waits: Pick<MenuItem, "disabled" | "hint"> = { disabled: true, hint: "Not available during a turn." };
  const items: readonly MenuItem[] = [
    { label: "Rename", icon: "edit", onSelect: () => setAsked("rename"), ...denied(mayPrompt) },
    {
      label: "Fork",
      icon: "fork",
      onSelect: () => void forkSession(id).catch(toastError),
      hint: "Continue the conversation in a copy",
      ...denied(mayPrompt),
    },
    {
      label: "Hand off",
      icon: "handoff",
      onSelect: () => setAsked("handoff"),
      hint: "Another agent continues",
      ...(running ? waits : denied(mayPrompt)),
    },
    {
      label: "Continue elsewhere",
      icon: "shell",
      onSelect: () => setAsked("elsewhere"),
      hint: "In a terminal or a program",
    },
    ...(agent === undefined
      ? []
      : [
          {
            label: "MCP servers",
            icon: "plug" as const,
            onSelect: () => slashDialog.set({ kind: "mcp", agent, cwd: session?.cwd }),
            ...denied(mayPrompt),
          },
        ]),
    { label: "Export", icon: "file", onSelect: () => setAsked("export") },
    ...(session?.open === true && !running
      ? [
          {
            label: "Stop the agent",
            icon: "stop" as const,
            onSelect: () => void close(id).catch(toastError),
            hint: "The session is kept",
            ...denied(mayPrompt),
          },
        ]
      : []),
    {
      label: "Delete",
      icon: "trash",
      danger: true,
      apart: true,
      onSelect: () => setAsked("delete"),
      ...denied(may(me, "admin")),
    },
  ];
  const Asked = asked === undefined ? undefined : dialogs[asked];
  return (
    <>
      <Menu label="Session" items={items}>
        {(trigger) => <IconButton {...trigger} icon="dots" label="Session actions" tipAt="below-end" />}
      </Menu>
      {Asked !== undefined && <Asked id={id} onClose={() => setAsked(undefined)} />}
    </>
  );
}

export async function forkSession(id: string): Promise<void> {
  const made = await call<SessionSummary>("POST", `${sessionApi(id)}/fork`);
  knowSession(made);
  navigate(sessionPath(made.id));
  toast("This is the fork. The original session is unchanged.", "good");
}

async function close(id: string): Promise<void> {
  await call("POST", `${sessionApi(id)}/close`);
  toast("Agent stopped. The next prompt starts it again.", "good");
}
