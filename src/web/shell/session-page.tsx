import { useEffect } from "react";
import { useSession } from "../state/session.ts";
import { SidebarButton } from "./sidebar-button.tsx";
import { SessionMenu } from "../session-menu/session-menu.tsx";

export function SessionPage({ id }: { readonly id: string }) {
  const session = useSession(id);
  const title = session.conversation.title ?? session.info?.title ?? "Session";
  useEffect(() => {
    document.title = `${title} · Reins`;
  }, [title]);
  return (
    <div className="session-page">
      <header className="bar">
        <SidebarButton />
        <h1 className="bar-title">{title}</h1>
        <SessionMenu id={id} />
      </header>
    </div>
  );
}
