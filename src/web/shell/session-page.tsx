import { useState } from "react";
import { oneLine } from "../../events/printable.ts";
import { dotted } from "../../view/labels.ts";
import { folderName } from "../composer/folder-field.tsx";
import { AgentColour, modeLabel } from "../composer/pickers.tsx";
import { SessionComposer } from "../composer/session-composer.tsx";
import { useAnnouncements } from "../conversation/announcements.ts";
import { ConversationView, useSearchTarget } from "../conversation/conversation-view.tsx";
import { useShortcut } from "../keyboard.ts";
import { usePageTitle } from "../notifications/notifier.tsx";
import { SessionPanel } from "../panels/session-panel.tsx";
import { RepositoryBar } from "../repository/repository-bar.tsx";
import { RequestDock } from "../requests/request-dock.tsx";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { useBoxes } from "../slash/boxes.ts";
import { useAgentFiles, useAgentNames, useAgents } from "../state/agents.ts";
import { navigate } from "../state/route.ts";
import { call, may, sessionApi, useMe } from "../state/server.ts";
import { useSession, type SessionState } from "../state/session.ts";
import { useUi } from "../state/ui.ts";
import { Badge, Button, Dot, Empty, IconButton, onEscape, Spinner } from "../ui/basics.tsx";
import { SidebarButton, useNarrow } from "./frame.tsx";

interface SessionBarProps {
  readonly id: string;
  readonly title: string;
  readonly session?: SessionState;
  readonly panel?: boolean;
  readonly onPanel?: () => void;
}

/** The bar above a conversation: title, agent, folder and mode. */
function SessionBar({ id, title, session, panel = false, onPanel }: SessionBarProps) {
  const nameOf = useAgentNames();
  const { agents } = useAgents();
  const conversation = session?.conversation;
  const agentId = conversation?.agent ?? session?.info?.agent;
  const agent = agentId && nameOf(agentId);
  const named = session?.info?.agentFile;
  const file = useAgentFiles(named === undefined ? undefined : session?.info?.cwd).find(({ id: one }) => one === named);
  const declared = agents.find((one) => one.id === agentId);
  const cwd = conversation?.cwd ?? session?.info?.cwd;
  const model = conversation?.modelLabel ?? conversation?.model;
  const waits = (session?.requests.length ?? 0) > 0;
  return (
    <header className="bar session-bar">
      <SidebarButton />
      <div className="bar-words">
        <h1 className="bar-title" dir="auto">
          {title}
        </h1>
        <p className="bar-more">
          {file !== undefined && (
            <>
              <AgentColour color={file.color} /> <bdi>{oneLine(file.name ?? file.id)}</bdi> ·{" "}
            </>
          )}
          {dotted(agent, model, conversation?.mode && modeLabel(conversation.mode, declared))}
          {cwd !== undefined && (
            <>
              {agent !== undefined && " · "}
              <bdi title={cwd}>{folderName(cwd)}</bdi>
            </>
          )}
        </p>
      </div>
      {waits ? (
        <Badge tone="warn">
          <Dot tone="warn" /> Waiting for you
        </Badge>
      ) : (
        session?.running === true && (
          <Badge tone="accent">
            <Dot tone="accent" pulse /> Working
          </Badge>
        )
      )}
      {onPanel !== undefined && (
        <IconButton icon="panel" label="Plan, files, usage" tipAt="below-end" aria-pressed={panel} onClick={onPanel} />
      )}
      <SessionMenu id={id} />
    </header>
  );
}

const toField = (): void => document.querySelector<HTMLElement>(".prompt-field")?.focus();

export function SessionPage({ id }: { readonly id: string }) {
  const session = useSession(id);
  const narrow = useNarrow();
  const [panel, setPanel] = useState<"all" | "files">();
  const togglePanel = (): void => setPanel(panel === undefined ? "all" : undefined);
  const boxes = useBoxes(id);
  const mayAnswer = may(useMe(), "approve");
  const { conversation, info, caughtUp, error } = session;
  const title = info?.title ?? conversation.title ?? "New session";
  const { agents } = useAgents();
  const agent = agents.find((one) => one.id === (conversation.agent ?? info?.agent));
  const cwd = conversation.cwd ?? info?.cwd;
  const ui = useUi(cwd);
  const wanted = ui?.breadcrumb.placement;
  // A phone has no room beside the conversation.
  const placement = narrow && (wanted === "left" || wanted === "right") ? "top" : wanted;
  const repository = cwd !== undefined && ui !== undefined && placement !== undefined && (
    <RepositoryBar
      session={id}
      cwd={cwd}
      running={session.running}
      ui={{ ...ui, breadcrumb: { ...ui.breadcrumb, placement } }}
      promptGoes="to the agent"
      onPrompt={async (prompt) => {
        await call("POST", `${sessionApi(id)}/turns`, { prompt, whenBusy: "queue" });
      }}
    />
  );
  const sought = useSearchTarget(id);
  useAnnouncements(session);
  useShortcut({ keys: "p", label: "Plan, files and usage of the session", group: "In a session" }, togglePanel);
  usePageTitle(title);

  if (error !== undefined)
    return (
      <div className="session-page">
        <SessionBar id={id} title={title} />
        <Empty
          icon="search"
          title="This session cannot be shown"
          actions={<Button onClick={() => navigate("/new")}>New session</Button>}
        >
          <p>{error.message}</p>
        </Empty>
      </div>
    );
  return (
    <div className="session-page">
      <SessionBar id={id} title={title} session={session} panel={panel !== undefined} onPanel={togglePanel} />
      <div className="session-body">
        {placement === "left" && repository}
        <div className="session-column">
          {placement === "top" && repository}
          {caughtUp ? (
            <ConversationView conversation={conversation} version={session.version} sought={sought} boxes={boxes} />
          ) : (
            <div className="waiting-page" aria-busy="true" aria-label="Loading the conversation">
              <Spinner size={22} />
            </div>
          )}
          <div className="session-foot">
            <RequestDock
              session={id}
              requests={session.requests}
              mayAnswer={mayAnswer}
              held={info?.open === true}
              capabilities={agent?.capabilities}
              onSettled={toField}
            />
            <SessionComposer session={session} showDiff={() => setPanel("files")} />
          </div>
          {placement === "bottom" && repository}
        </div>
        {placement === "right" && repository}
        {panel !== undefined && (
          <aside
            className={narrow ? "session-panel over" : "session-panel"}
            aria-label="Session details"
            onKeyDown={onEscape(() => setPanel(undefined))}
          >
            <SessionPanel id={id} at={panel} onClose={() => setPanel(undefined)} />
          </aside>
        )}
      </div>
    </div>
  );
}
