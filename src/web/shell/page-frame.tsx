import type { ReactNode } from "react";
import { usePageTitle } from "../notifications/page-title.ts";
import { SidebarButton } from "./sidebar-button.tsx";

/** A place that is no conversation: its title, and what scrolls below it. */
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
