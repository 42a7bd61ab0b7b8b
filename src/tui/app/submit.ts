/** Handles Enter: a slash command, a shell command, a prompt for a cloud agent, or a prompt. */
import { stripAnsi } from "../../events/printable.ts";
import { clearEditor, editorText, mentionedImages, readPrompt } from "../editor/index.ts";
import type { App } from "./app.ts";
import { closeCompletion } from "./completion.ts";
import { boxLines } from "./box.ts";
import { runSlashCommand } from "./slash.ts";
import { startCloud, startsCloud } from "../cloud/start.ts";

export function submit(app: App): void {
  const { active } = app.sessions;
  const text = editorText(active.editor);
  // Enter on an empty prompt sends what was queued when a turn was stopped.
  if (text.trim() === "") return app.sessions.sendNext(active);
  const read = readPrompt(text);
  app.history.add(text);
  app.host.addHistory(text);
  active.editor = clearEditor(active.editor);
  active.browsed = undefined;
  closeCompletion(app);
  switch (read.kind) {
    case "slash":
      if (runSlashCommand(app, text)) return;
      return app.prompt(active, withImages(app, text));
    case "shell":
      return runShell(app, read.text);
    case "cloud":
      return startCloud(app, withImages(app, read.text));
    case "prompt":
      if (startsCloud(app)) return startCloud(app, withImages(app, read.text));
      return app.prompt(active, withImages(app, read.text));
  }
}

function withImages(app: App, text: string) {
  const images = mentionedImages(text, (path) => app.host.fileExists(path));
  if (images.length === 0) return text;
  return { text, attachments: images.map((path) => ({ kind: "image" as const, path })) };
}

/** Runs `!command` in the user's shell and shows it; the agent does not see it. */
function runShell(app: App, command: string): void {
  const view = app.sessions.active;
  const { theme } = app;
  app.flash("Running the command…", 60_000);
  app.attempt(async () => {
    const { output, exitCode } = await app.host.runShell(command, view.cwd, app.leaving.signal);
    const rows = stripAnsi(output).trimEnd().split("\n").slice(-500);
    const lines = rows.map((row) => ({
      text: row.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "").replaceAll("\t", "    "),
      wrap: "soft" as const,
    }));
    const end = exitCode === 0 ? [] : [{ text: theme.error(`exit code ${exitCode}`) }];
    app.flash(exitCode === 0 ? "Done." : `Exit code ${exitCode}.`);
    app.say(boxLines(`! ${command.split("\n", 1)[0] ?? ""}`, [...lines, ...end], theme), view);
    app.refreshRepository();
  });
}
