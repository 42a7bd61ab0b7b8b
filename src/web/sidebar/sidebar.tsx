import { navigate, sessionPath, useRoute } from "../state/route.ts";
import { useSessions } from "../state/sessions.ts";
import { Button } from "../ui/button.tsx";
import { Dot } from "../ui/badge.tsx";

/** All sessions of all agents, and the other places of the page. `onLeave`: on a phone it is a drawer, and is closed by going somewhere. */
export function Sidebar({ onLeave }: { readonly onLeave: () => void }) {
  const { sessions } = useSessions();
  const { parts } = useRoute();
  const go = (to: string): void => {
    navigate(to);
    onLeave();
  };
  return (
    <div className="sidebar-inside">
      <Button look="primary" icon="add" onClick={() => go("/new")}>
        New session
      </Button>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <a
              href={`#${sessionPath(session.id)}`}
              aria-current={parts[1] === session.id ? "page" : undefined}
              onClick={onLeave}
            >
              {session.running && <Dot tone="accent" pulse label="running" />}
              {session.title ?? session.id}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
