import { folderName } from "../composer/folders.ts";
import { modeLabel } from "../composer/mode-words.ts";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { useAgents } from "../state/agents.ts";
import type { SessionState } from "../state/session.ts";
import { Badge, Dot } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { SidebarButton } from "./sidebar-button.tsx";

interface SessionBarProps {
  readonly id: string;
  readonly title: string;
  readonly session?: SessionState;
  readonly panel?: boolean;
  readonly onPanel?: () => void;
}

/** Above a conversation: what it is, who holds it, where and how. */
export function SessionBar({ id, title, session, panel = false, onPanel }: SessionBarProps) {
  const { agents } = useAgents();
  const conversation = session?.conversation;
  const agentId = conversation?.agent ?? session?.info?.agent;
  const agent = agents.find((one) => one.id === agentId)?.name ?? agentId;
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
          {[agent, model, conversation?.mode === undefined ? undefined : modeLabel(conversation.mode)]
            .filter((part) => part !== undefined)
            .join(" · ")}
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
          <Dot tone="warn" /> Waits for you
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
