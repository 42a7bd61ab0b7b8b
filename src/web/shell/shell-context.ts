import { createContext } from "react";

export interface ShellState {
  readonly sidebarOpen: boolean;
  readonly toggleSidebar: () => void;
}

export const ShellContext = createContext<ShellState>({ sidebarOpen: true, toggleSidebar: () => {} });
