/** `!command`: runs in the person's shell and is shown; the agent does not see it. */
import { stripAnsi } from "../../events/printable.ts";
import type { Line } from "../line.ts";
import type { App } from "./app.ts";
import { boxLines } from "./box.ts";
import type { SessionView } from "./session-view.ts";

const mostRows = 500;

export function runShellCommand(app: App, command: string): void {
  const view = app.sessions.active;
  const { theme } = app;
  const stopping = new AbortController();
  view.commands.add(stopping);
  app.attempt(async () => {
    try {
      const signal = AbortSignal.any([app.leaving.signal, stopping.signal]);
      const { output, exitCode, stopped } = await app.host.runShell(command, view.cwd, signal);
      const rows = stripAnsi(output).trimEnd().split("\n").slice(-mostRows);
      const lines = rows.map((row): Line => ({
        text: row.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "").replaceAll("\t", "    "),
        wrap: "soft",
      }));
      const failed = exitCode === 0 ? [] : [{ text: theme.error(`exit code ${exitCode}`) }];
      const end = stopped === true ? [{ text: theme.warning("stopped") }] : failed;
      app.say(boxLines(`! ${command.split("\n", 1)[0] ?? ""}`, [...lines, ...end], theme), view);
    } finally {
      view.commands.delete(stopping);
      app.refreshRepository();
      app.draw();
    }
  });
}

export function stopShellCommands({ commands }: SessionView): void {
  for (const command of commands) command.abort();
}
