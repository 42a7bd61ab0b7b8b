import type { Tool } from "../../events/tools.ts";
import type { IconName } from "../ui/icon.tsx";

const icons: Readonly<Record<Tool, IconName>> = {
  read: "file",
  write: "edit",
  edit: "edit",
  delete: "trash",
  move: "handoff",
  list: "folder",
  glob: "search",
  grep: "search",
  shell: "shell",
  web_search: "globe",
  web_fetch: "globe",
  plan: "plan",
  task: "agent",
  question: "help",
  notebook: "edit",
  mcp: "plug",
  memory: "think",
  image: "image",
  mode: "settings",
  other: "tool",
};

export function toolIcon(tool: Tool): IconName {
  return icons[tool] ?? "tool";
}
