import { useState } from "react";
import type { Mode } from "../../events/modes.ts";
import type { CreatedSession } from "../../server/schemas/sessions.ts";
import { readCloudMark } from "../../view/cloud.ts";
import { CloudFields } from "../cloud/cloud-fields.tsx";
import { isCloudAgent, useCloudSending } from "../cloud/use-cloud-sending.ts";
import { usePageTitle } from "../notifications/notifier.tsx";
import { Mark, SidebarButton } from "../shell/frame.tsx";
import { RepositoryBar } from "../repository/repository-bar.tsx";
import { clearBoxes } from "../slash/boxes.ts";
import { SlashBoxes } from "../slash/slash-box.tsx";
import { takeSlash, type SlashHost } from "../slash/use-slash.ts";
import { useAgentFiles, useAgents } from "../state/agents.ts";
import { navigate, sessionPath, useRoute } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { knowSession, useSessions } from "../state/sessions.ts";
import { useUi } from "../state/ui.ts";
import { useTypedKeys } from "../state/typed-keys.ts";
import { Icon, IconButton, type IconName } from "../ui/basics.tsx";
import { Trouble } from "../ui/form.tsx";
import { Unheard } from "./attachments.tsx";
import { useDraft } from "./draft.ts";
import { FirstSteps } from "./first-steps.tsx";
import { FolderField, isWithin, knownFolders } from "./folder-field.tsx";
import { AgentPicker, ModelPicker, ModePicker } from "./pickers.tsx";
import { PromptBox } from "./prompt-box.tsx";

/** Prompts that the demo agent understands, to try the page without an account. */
const starters: readonly { readonly icon: IconName; readonly title: string; readonly prompt: string }[] = [
  { icon: "spark", title: "A short tour, with one small edit to approve", prompt: "Show me around" },
  {
    icon: "edit",
    title: "Write a file, then change it",
    prompt: "write notes.txt hello; edit notes.txt hello -> hello, world",
  },
  { icon: "shell", title: "Look at the folder and run a command", prompt: "list; run node --version" },
  { icon: "help", title: "Everything it can do", prompt: "help" },
];

function Starters({ onChoose }: { readonly onChoose: (prompt: string) => void }) {
  return (
    <section className="starters" aria-label="Examples">
      <p>The demo agent needs no account and no model. Try one of these:</p>
      <ul>
        {starters.map(({ icon, title, prompt }) => (
          <li key={prompt}>
            <button type="button" className="starter" onClick={() => onChoose(prompt)}>
              <Icon name={icon} />
              <span>
                {title}
                <code>{prompt}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Key for the draft and the command answers of this screen. */
const place = "new";

/** The start screen: prompt, agent, folder and mode of a new session. */
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
  const draft = useDraft(place);
  const { attachments, error, ready, sending } = draft;

  const folder = cwd ?? folders[0] ?? "";
  const isKnownFolder = me !== undefined && folder !== "" && isWithin(me.roots, folder);
  const files = useAgentFiles(isKnownFolder ? folder : undefined);
  const isListed = folders.includes(folder);
  const keys = useTypedKeys();
  const file = files.find(({ id, problem }) => id === chosen && problem === undefined);
  const wanted = file === undefined ? chosen : file.agent;
  const agent = agents.find(({ id }) => id === wanted) ?? usualAgent(agents, sessions[0]?.agent);
  const choose = (id: string): void => {
    setChosen(id);
    setModel(undefined);
  };
  const modes = agent?.capabilities.modes;
  const usedMode = mode !== undefined && modes?.includes(mode) !== false ? mode : undefined;

  usePageTitle("New session");
  const slash: SlashHost = {
    ...{
      place,
      sessionId: undefined,
      entries: 0,
      agent: agent?.id,
      own: undefined,
      model,
      mode: usedMode,
      cwd: folder,
    },
    configure: async (change) => {
      if (change.model !== undefined) setModel(change.model);
      if (change.mode !== undefined) setMode(change.mode);
    },
    switchAgent: async (to) => choose(to),
    showDiff: () => {},
  };
  const isCloud = isCloudAgent(agent);
  const toCloud = isCloud || readCloudMark(draft.text).to === "cloud";
  const cloud = useCloudSending(toCloud && isKnownFolder ? folder : undefined, agent);
  const shown = (id: string): void => {
    clearBoxes(place);
    navigate(sessionPath(id));
  };
  const begin = async (command?: string): Promise<void> => {
    const taken = takeSlash(command ?? draft.text, slash);
    if (taken.kind === "ran") draft.setText("");
    if (taken.kind !== "send") return;
    const { to, text } = readCloudMark(taken.text);
    await draft.send(async (prompt, key) => {
      if (isCloud || to === "cloud") {
        const { id } = await cloud.begin(prompt, key, isCloud ? model : undefined);
        return () => shown(id);
      }
      const env = keys.get(agent?.id ?? "");
      const body = { cwd: folder, agent: file?.id ?? agent?.id, model, mode: usedMode, env, prompt };
      const { turn: _turn, ...session } = await call<CreatedSession>("POST", "/api/sessions", body, { key });
      return () => {
        knowSession(session);
        shown(session.id);
      };
    }, text);
  };

  const ui = useUi(isListed ? folder : undefined);
  const placement = ui?.breadcrumb.placement;
  // No left or right placement here: there is no conversation beside it. A folder that is still being typed is not queried.
  const repository = isListed && ui !== undefined && placement !== "hidden" && (
    <RepositoryBar
      cwd={folder}
      ui={{ ...ui, breadcrumb: { ...ui.breadcrumb, placement: placement === "bottom" ? "bottom" : "top" } }}
      promptGoes="to the field"
      onPrompt={async (text) => draft.setText(text)}
    />
  );
  return (
    <div className="new-session">
      <header className="bar">
        <SidebarButton />
      </header>
      {placement !== "bottom" && repository}
      <div className="new-scroll">
        <div className="new-inside">
          <div className="new-greeting">
            <Mark size={36} />
            <h1>What should the agent do?</h1>
          </div>
          <FolderField value={folder} folders={folders} onChange={setCwd} />
          <Unheard agent={agent} attachments={attachments} />
          <SlashBoxes place={place} />
          {toCloud && <CloudFields sending={cloud} />}
          <PromptBox
            draft={draft}
            disabled={!may(me, "prompt")}
            placeholder={may(me, "prompt") ? "Describe a task" : "This page's token is read-only"}
            onSend={(_other, command) => void begin(command)}
            pickers={
              <>
                <AgentPicker value={file?.id ?? agent?.id} files={files} onChange={choose} />
                <ModelPicker agent={agent?.id} value={model} onChange={setModel} />
                <ModePicker agent={agent} value={usedMode} onChange={setMode} />
              </>
            }
            buttons={
              <IconButton
                look="primary"
                icon="send"
                label="Start"
                tipAt="above-end"
                busy={sending}
                disabled={!ready}
                onClick={() => void begin()}
              />
            }
          />
          <Trouble text={error} className="composer-error" />
          <FirstSteps onChoose={(command) => takeSlash(command, slash)} />
          {agent?.builtIn === true && (
            <Starters
              onChoose={(prompt) => {
                draft.setText(prompt);
                draft.field.current?.focus();
              }}
            />
          )}
        </div>
      </div>
      {placement === "bottom" && repository}
    </div>
  );
}

/** The agent used last if it is ready, else an installed one, else the built-in one. */
function usualAgent(agents: ReturnType<typeof useAgents>["agents"], last: string | undefined) {
  const ready = agents.filter((agent) => agent.ready && agent.capabilities.elsewhere !== true);
  return ready.find(({ id }) => id === last) ?? ready.find(({ builtIn }) => builtIn !== true) ?? ready[0];
}
