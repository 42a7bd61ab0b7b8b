/** Handles `& prompt`: starts a cloud agent on the repository chosen for this folder, in the background. */
import { chooseCloud, cloudSession, requireReady } from "../../commands/cloud.ts";
import type { Prompt } from "../../core/api.ts";
import { targetWords, type CloudTarget } from "../../view/cloud.ts";
import type { App } from "../app/app.ts";
import type { SessionView } from "../app/session-view.ts";
import { clearEditor, editorText, isEmpty, setText } from "../editor/index.ts";
import { countCloudAgents } from "./count.ts";
import { askTarget } from "./target-form.ts";

/** Returns whether the first prompt of the session on the screen starts a cloud agent, because one was chosen for it. */
export function startsCloud({ sessions: { active }, agents }: App): boolean {
  if (active.id !== undefined || active.resume !== undefined) return false;
  return agents.find(({ id }) => id === active.agent)?.capabilities.elsewhere === true;
}

export function startCloud(app: App, prompt: Prompt): void {
  const from = app.sessions.active;
  // Keep the draft until the agent is started: closing the form loses nothing.
  const draft = `& ${typeof prompt === "string" ? prompt : prompt.text}`;
  if (isEmpty(from.editor)) from.editor = setText(from.editor, draft);
  app.flash("Contacting the service…", 30_000);
  app.attempt(async () => {
    try {
      const reins = await app.reins();
      const named = startsCloud(app) ? from.agent : undefined;
      const { agent, cloud } = await chooseCloud(reins, named);
      await requireReady(reins, agent);
      const { remembered, suggested, note } = await reins.cloudTarget({ cwd: from.cwd });
      const start = (target: CloudTarget): void => {
        if (editorText(from.editor) === draft) from.editor = clearEditor(from.editor);
        begin(app, from, agent, target, prompt);
      };
      if (remembered?.repository !== undefined) return start(remembered);
      const form = { cloud, cwd: from.cwd, target: suggested, note, does: "Start agent", done: start };
      askTarget(app, form);
    } finally {
      app.flash("");
    }
  });
}

function begin(app: App, from: SessionView, agent: string, target: CloudTarget, prompt: Prompt): void {
  const model = from.choice.agent === agent ? from.choice.model : undefined;
  const choice = { ...cloudSession(agent, target), model };
  const isUnused = from.state === "new" && from.id === undefined && from === app.sessions.active;
  // Stay in a session that is in use.
  const view = isUnused ? app.sessions.create(from.cwd, choice) : app.sessions.add(from.cwd, choice);
  const words = targetWords(target);
  app.flash(isUnused ? `Sent to the cloud: ${words}.` : `Sent to the cloud: ${words}. Ctrl+N shows it.`, 5_000);
  void app.sessions.prompt(view, prompt).then(() => {
    if (view.id === undefined && view !== app.sessions.active)
      app.flash("The cloud agent could not be started. Ctrl+N shows why.", 10_000);
    void countCloudAgents(app);
  });
}
