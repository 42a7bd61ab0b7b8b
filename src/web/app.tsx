import { useEffect } from "react";
import { SignIn, Unreachable } from "./shell/entrance.tsx";
import { Shell } from "./shell/shell.tsx";
import { announcement, dismissToast, toasts } from "./state/messages.ts";
import { keepConnected, meStore } from "./state/server.ts";
import { followSessions } from "./state/sessions.ts";
import { useStore } from "./state/store.ts";
import { classes, Icon, IconButton, Spinner } from "./ui/basics.tsx";

export function App() {
  return (
    <>
      <Inside />
      <Toasts />
      <Announcer />
    </>
  );
}

function Inside() {
  const me = useStore(meStore);
  switch (me.state) {
    case "asking":
      return (
        <main className="waiting-page" aria-busy="true" aria-label="Reins is starting">
          <Spinner size={22} />
        </main>
      );
    case "unknown":
      return <SignIn why={me.why} />;
    case "unreachable":
      return <Unreachable />;
    case "known":
      return <Live />;
  }
}

function Live() {
  useEffect(() => {
    const stopFollowing = followSessions();
    const disconnect = keepConnected();
    return () => {
      stopFollowing();
      disconnect();
    };
  }, []);
  return <Shell />;
}

function Announcer() {
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {useStore(announcement)}
    </div>
  );
}

const icons = { info: "info", good: "check", bad: "warn" } as const;

function Toasts() {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, tone, text }) => (
        <div key={id} className={classes("toast", tone)}>
          <Icon name={icons[tone]} />
          <p>{text}</p>
          <IconButton icon="close" label="Dismiss" size="small" tipAt="above-end" onClick={() => dismissToast(id)} />
        </div>
      ))}
    </div>
  );
}
