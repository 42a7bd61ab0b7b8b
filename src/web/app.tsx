import { useEffect } from "react";
import { SignIn } from "./shell/sign-in.tsx";
import { Shell } from "./shell/shell.tsx";
import { Unreachable } from "./shell/unreachable.tsx";
import { keepLive, live } from "./state/live.ts";
import { meStore } from "./state/me.ts";
import { followSessions } from "./state/sessions.ts";
import { useStore } from "./state/store.ts";
import { useAnnouncement } from "./state/announce.ts";
import { Toasts } from "./ui/toasts.tsx";
import { Spinner } from "./ui/spinner.tsx";

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
    keepLive();
    const stopFollowing = followSessions();
    return () => {
      stopFollowing();
      live.stop();
    };
  }, []);
  return <Shell />;
}

function Announcer() {
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {useAnnouncement()}
    </div>
  );
}
