/** Handles Enter: a slash command, a shell command, a prompt for a cloud agent, or a prompt. */
import { clearEditor, editorText, mentionedImages, readPrompt } from "../editor/index.ts";
import type { App } from "./app.ts";
import { closeCompletion } from "./completion.ts";
import { runShellCommand } from "./shell-command.ts";
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
      return runShellCommand(app, read.text);
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
