/** The text of an empty conversation. */
import { firstStepLines } from "../../view/first-steps.ts";
import type { Line } from "../line.ts";
import type { App } from "./app.ts";

export function greetingLines({ theme, sessions, agents, host, repository }: App): readonly Line[] {
  if (sessions.active.loading) return [{ text: theme.dim("Loading the session…") }];
  const ready = agents.filter((agent) => agent.ready && agent.builtIn !== true).map(({ name }) => name);
  const words =
    agents.length === 0
      ? "Looking for agents…"
      : ready.length === 0
        ? "No coding agent is ready on this machine, so the demo agent answers."
        : `Ready: ${ready.join(", ")}`;
  return [
    { text: "" },
    { text: `${theme.bold(theme.accent("Reins"))} ${theme.dim(host.version)}`, wrap: "cut" },
    { text: theme.dim("One interface for every coding agent.") },
    { text: "" },
    { text: words },
    { text: "" },
    ...firstStepLines("command").map((text): Line => ({ text, wrap: "cut" })),
    { text: "" },
    { text: theme.dim("Describe a task and press Enter. Reins asks before it changes anything.") },
    { text: theme.dim(`/ commands · @ files · ! shell · Shift+Tab mode · ${repository.leader} then ? shortcuts`) },
  ];
}
