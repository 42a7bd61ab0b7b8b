import { use } from "react";
import { IconButton } from "../ui/button.tsx";
import { ShellContext } from "./shell-context.ts";

export function SidebarButton() {
  const { sidebarOpen, toggleSidebar } = use(ShellContext);
  return (
    <IconButton
      icon="menu"
      label={sidebarOpen ? "Hide the sessions" : "Show the sessions"}
      aria-expanded={sidebarOpen}
      onClick={toggleSidebar}
    />
  );
}
