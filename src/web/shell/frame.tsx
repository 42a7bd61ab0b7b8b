import { createContext, use, useSyncExternalStore, type ReactNode } from "react";
import { usePageTitle } from "../notifications/notifier.tsx";
import { IconButton } from "../ui/basics.tsx";

export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M9 24V8h8.2a5 5 0 0 1 1.5 9.8L23 24M9 16h7" />
    </svg>
  );
}

const phone = "(max-width: 52rem)";

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(phone);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(phone).matches,
  );
}

export const ShellContext = createContext({ sidebarOpen: true, toggleSidebar: (): void => {} });

export function SidebarButton() {
  const { sidebarOpen, toggleSidebar } = use(ShellContext);
  return (
    <IconButton
      icon="menu"
      label={sidebarOpen ? "Hide sidebar" : "Show sidebar"}
      aria-expanded={sidebarOpen}
      onClick={toggleSidebar}
    />
  );
}

/** A page that is no conversation: its title and scrolling content. */
export function PageFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className="page-frame">
      <header className="bar">
        <SidebarButton />
        <h1 className="bar-title">{title}</h1>
      </header>
      <div className="page-scroll" tabIndex={-1}>
        <div className="page">{children}</div>
      </div>
    </div>
  );
}
