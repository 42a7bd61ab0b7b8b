import { useState } from "react";
import { SessionComposer } from "../composer/session-composer.tsx";
import { useAnnouncements } from "../conversation/use-announcements.ts";
import { ConversationView } from "../conversation/conversation-view.tsx";
import { useSought } from "../conversation/use-sought.ts";
import { useShortcut } from "../keyboard.ts";
import { usePageTitle } from "../notifications/page-title.ts";
import { SessionPanel } from "../panels/session-panel.tsx";
import { RequestDock } from "../requests/request-dock.tsx";
import { may, useMe } from "../state/me.ts";
import { navigate } from "../state/route.ts";
import { useSession } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useNarrow } from "./narrow.ts";
import { SessionBar } from "./session-bar.tsx";

const toField = (): void => document.querySelector<HTMLElement>(".prompt-field")?.focus();

export function SessionPage({ id }: { readonly id: string }) {
  const session = useSession(id);
  const narrow = useNarrow();
  const [panel, setPanel] = useState(false);
  const mayAnswer = may(useMe(), "approve");
  const { conversation, info, caughtUp, error } = session;
  const title = info?.title ?? conversation.title ?? "New session";
  const sought = useSought(id);
  useAnnouncements(session);
  useShortcut({ keys: "p", label: "Plan, files and usage of the session", group: "In a session" }, () =>
    setPanel(!panel),
  );
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
      <SessionBar id={id} title={title} session={session} panel={panel} onPanel={() => setPanel(!panel)} />
      <div className="session-body">
        <div className="session-column">
          {caughtUp ? (
            <ConversationView conversation={conversation} version={session.version} sought={sought} />
          ) : (
            <div className="waiting-page" aria-busy="true" aria-label="The conversation is being read">
              <Spinner size={22} />
            </div>
          )}
          <div className="session-foot">
            <RequestDock session={id} requests={session.requests} mayAnswer={mayAnswer} onSettled={toField} />
            <SessionComposer session={session} />
          </div>
        </div>
        {panel && (
          <aside
            className={narrow ? "session-panel over" : "session-panel"}
            aria-label="About this session"
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation();
              setPanel(false);
            }}
          >
            <SessionPanel id={id} onClose={() => setPanel(false)} />
          </aside>
        )}
      </div>
    </div>
  );
}
