import { useEffect, useRef, useState } from "react";
import type { Mode } from "../../events/modes.ts";
import type { CreatedSession } from "../../server/schemas/sessions.ts";
import { usePageTitle } from "../notifications/page-title.ts";
import { Mark } from "../shell/mark.tsx";
import { SidebarButton } from "../shell/sidebar-button.tsx";
import { useAgents } from "../state/agents.ts";
import { call, sentenceOf } from "../state/api.ts";
import { may, useMe } from "../state/me.ts";
import { navigate, sessionPath, useRoute } from "../state/route.ts";
import { knowSession, useSessions } from "../state/sessions.ts";
import { IconButton } from "../ui/button.tsx";
import { useDraft } from "./draft.ts";
import { FolderField } from "./folder-field.tsx";
import { knownFolders } from "./folders.ts";
import { AgentPicker, ModelPicker, ModePicker } from "./pickers.tsx";
import { PromptBox } from "./prompt-box.tsx";
import { Starters } from "./starters.tsx";
import { useAttachments } from "./use-attachments.ts";
import { Unheard } from "./unheard.tsx";
import { useKey } from "./use-key.ts";

/** Where a session begins: what is to be done, by whom, where, and how freely. */
export function NewSession() {
  const me = useMe();
  const { query } = useRoute();
  const { agents } = useAgents();
  const { sessions } = useSessions();
  const folders = knownFolders(me, sessions);
  const [cwd, setCwd] = useState<string | undefined>(query.get("cwd") ?? undefined);
  const [chosen, setChosen] = useState<string | undefined>(query.get("agent") ?? undefined);
  const [model, setModel] = useState<string>();
  const [mode, setMode] = useState<Mode>();
  const [text, setText] = useDraft("new");
  const attachments = useAttachments();
  const field = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const key = useKey(text, attachments.bodies);

  const folder = cwd ?? folders[0] ?? "";
  const agent = agents.find(({ id }) => id === chosen) ?? usualAgent(agents, sessions[0]?.agent);
  const modes = agent?.capabilities.modes;
  const usedMode = mode !== undefined && modes?.includes(mode) !== false ? mode : undefined;

  usePageTitle("New session");
  useEffect(() => {
    if (window.matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);

  const empty = text.trim() === "" && attachments.bodies.length === 0;
  const begin = async (): Promise<void> => {
    if (empty || busy || !attachments.ready) return;
    setBusy(true);
    setError(undefined);
    try {
      const body = {
        cwd: folder,
        agent: agent?.id,
        model,
        mode: usedMode,
        prompt: attachments.bodies.length === 0 ? text : { text, attachments: [...attachments.bodies] },
      };
      const { turn: _turn, ...session } = await call<CreatedSession>("POST", "/api/sessions", body, { key });
      setText("");
      attachments.clear();
      knowSession(session);
      navigate(sessionPath(session.id));
    } catch (thrown) {
      setError(sentenceOf(thrown));
      setBusy(false);
      field.current?.focus();
    }
  };

  return (
    <div className="new-session">
      <header className="bar">
        <SidebarButton />
      </header>
      <div className="new-scroll">
        <div className="new-inside">
          <div className="new-greeting">
            <Mark size={36} />
            <h1>What shall be done?</h1>
          </div>
          <FolderField value={folder} folders={folders} onChange={setCwd} />
          <Unheard agent={agent} attachments={attachments} />
          <PromptBox
            text={text}
            onText={setText}
            attachments={attachments}
            field={field}
            disabled={!may(me, "prompt")}
            placeholder={may(me, "prompt") ? "Describe a task" : "This page's token may only read"}
            onSend={() => void begin()}
            pickers={
              <>
                <AgentPicker
                  value={agent?.id}
                  onChange={(id) => {
                    setChosen(id);
                    setModel(undefined);
                  }}
                />
                <ModelPicker agent={agent?.id} value={model} onChange={setModel} />
                <ModePicker agent={agent} value={usedMode} onChange={setMode} />
              </>
            }
            buttons={
              <IconButton
                look="primary"
                icon="send"
                label="Begin"
                tipAt="above-end"
                busy={busy}
                disabled={empty || !attachments.ready}
                onClick={() => void begin()}
              />
            }
          />
          {error !== undefined && (
            <p className="composer-error" role="alert">
              {error}
            </p>
          )}
          {agent?.builtIn === true && (
            <Starters
              onChoose={(prompt) => {
                setText(prompt);
                field.current?.focus();
              }}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** The one used last where it is ready, else one that is installed, else the one that is part of Reins. */
function usualAgent(agents: ReturnType<typeof useAgents>["agents"], last: string | undefined) {
  const ready = agents.filter((agent) => agent.ready && agent.capabilities.elsewhere !== true);
  return ready.find(({ id }) => id === last) ?? ready.find(({ builtIn }) => builtIn !== true) ?? ready[0];
}
