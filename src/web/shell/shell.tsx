import { Suspense, useEffect, useRef, useState } from "react";
import { NewSession } from "../composer/new-session.tsx";
import { useShortcut } from "../keyboard.ts";
import { KeysOverlay } from "../keys-overlay.tsx";
import { Notifier } from "../notifications/notifier.tsx";
import { places } from "../routes.tsx";
import { soughtSessions } from "../sidebar/find-sessions.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { SlashDialogs } from "../slash/slash-dialogs.tsx";
import { navigate, useRoute } from "../state/route.ts";
import { connection, connectionStore } from "../state/server.ts";
import { useStore } from "../state/store.ts";
import { Button, classes, onEscape, Spinner } from "../ui/basics.tsx";
import { PageFrame, ShellContext, useNarrow } from "./frame.tsx";
import { SessionPage } from "./session-page.tsx";

/** A connection loss shorter than this is not shown. */
const quietMs = 700;

function ConnectionLine() {
  const state = useStore(connectionStore);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (state !== "lost") {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), quietMs);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div role="status" className="connection-status">
      {shown && (
        <div className="connection-line">
          <Spinner />
          <span>Connection lost. Reconnecting… Nothing is lost.</span>
          <Button look="quiet" size="small" onClick={() => connection.hurry()}>
            Retry now
          </Button>
        </div>
      )}
    </div>
  );
}

export function Shell() {
  const narrow = useNarrow();
  const [drawer, setDrawer] = useState(false);
  const [folded, setFolded] = useState(false);
  const aside = useRef<HTMLElement>(null);
  const open = narrow ? drawer : !folded;
  const toggle = (): void => (narrow ? setDrawer(!drawer) : setFolded(!folded));
  const leave = (): void => setDrawer(false);

  useShortcut({ keys: "n", label: "New session", group: "Anywhere" }, () => navigate("/new"));
  useShortcut({ keys: "Mod+b", label: "Show or hide the sidebar", group: "Anywhere", whileWriting: true }, toggle);
  const sought = useStore(soughtSessions);
  // The search field can take the focus only while the sidebar is visible.
  if (sought !== undefined && !open) toggle();
  useEffect(() => {
    if (!narrow || !drawer || aside.current?.contains(document.activeElement) === true) return;
    aside.current?.querySelector<HTMLElement>("button, a, input")?.focus();
  }, [narrow, drawer]);

  return (
    <ShellContext value={{ sidebarOpen: open, toggleSidebar: toggle }}>
      <a className="skip" href="#main" onClick={skip}>
        Skip to the conversation
      </a>
      <div className={classes("shell", open && "with-sidebar", narrow && "narrow")}>
        <aside
          ref={aside}
          className="sidebar"
          aria-label="Sessions"
          inert={!open}
          onKeyDown={onEscape(() => narrow && leave())}
        >
          <Sidebar onLeave={leave} />
        </aside>
        {narrow && drawer && <div className="scrim" onClick={leave} aria-hidden="true" />}
        <main id="main" className="main" tabIndex={-1} inert={narrow && drawer}>
          <ConnectionLine />
          <Suspense
            fallback={
              <div className="waiting-page" aria-busy="true">
                <Spinner size={22} />
              </div>
            }
          >
            <Where />
          </Suspense>
        </main>
      </div>
      <Notifier />
      <KeysOverlay />
      <SlashDialogs />
    </ShellContext>
  );
}

function Where() {
  const { parts, query } = useRoute();
  const [first = "new", second] = parts;
  if (first === "s" && second !== undefined) return <SessionPage key={second} id={second} />;
  const place = places.find(({ path }) => path === first);
  if (place === undefined) return <NewSession key={query.toString()} />;
  return (
    <PageFrame title={place.label}>
      <place.Page />
    </PageFrame>
  );
}

/** The hash holds the route, so a plain `#main` link cannot skip to the content. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
