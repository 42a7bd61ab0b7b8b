/** Slash commands in the terminal. `commands/run.ts` runs them, as in the page; this carries out what is left for the interface. */
import { loginResult, logoutResult, runSlash, type SlashContext, type SlashEffect } from "../../commands/run.ts";
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { exportFormats } from "../../view/export-formats.ts";
import { exportSession } from "../../view/export.ts";
import type { Box, BoxStyle } from "../../view/slash/box.ts";
import { parseSlash, type SlashCommand } from "../../view/slash/commands.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import type { App } from "./app.ts";
import { boxLines } from "./box.ts";
import { showDiff } from "./changes.ts";
import { showCloud } from "../cloud/panel.ts";
import { startCloud } from "../cloud/start.ts";
import { textField } from "./overlay.ts";
import { pickAgent, pickMcp, pickMode, pickModel, pickSession } from "./pickers.ts";
import { keyLines, switchScreen } from "./shortcuts.ts";

/** Whether the text is a command. One that nobody knows is not sent to the agent. */
export function runSlashCommand(app: App, text: string): boolean {
  const view = app.sessions.active;
  const parsed = parseSlash(text, { own: view.conversation.commands, where: "terminal" });
  if (parsed === undefined) return false;
  if (parsed.kind === "agent") app.prompt(view, parsed.text);
  else if (parsed.kind === "unknown") {
    const near = parsed.suggestion === undefined ? "/help lists the commands." : `Did you mean /${parsed.suggestion}?`;
    app.say([{ text: "" }, { text: app.theme.warning(`There is no command /${oneLine(parsed.unknown)}. ${near}`) }]);
  } else run(app, parsed.command, parsed.args);
  return true;
}

function run(app: App, command: SlashCommand, args: string): void {
  if (command.name === "mcp" && args === "" && app.screen === "full") return pickMcp(app);
  const view = app.sessions.active;
  app.attempt(async () => {
    const context = await contextOf(app);
    const { boxes, effect } = await runSlash(command, args, context);
    for (const box of boxes) app.say(linesOf(box, app.theme), view);
    if (command.name === "help") app.say(boxLines("Keys", keyLines(app), app.theme), view);
    if (effect !== undefined) await carryOut(app, effect, context);
  });
}

async function contextOf(app: App): Promise<SlashContext> {
  const view = app.sessions.active;
  const reins = await app.reins();
  const agent =
    view.agent ?? app.agents.find(({ ready }) => ready)?.id ?? (await reins.agents()).find(({ ready }) => ready)?.id;
  if (agent === undefined)
    throw new ReinsError("not_installed", "No agent is ready: /agent shows what each one needs.");
  return {
    ...{
      reins,
      agent,
      model: view.conversation.model ?? view.choice.model,
      mode: view.mode,
      sessionId: view.id,
      cwd: view.cwd,
    },
    ...{ platform: app.host.platform, where: "terminal", own: view.conversation.commands, now: app.now },
  };
}

async function carryOut(app: App, effect: SlashEffect, context: SlashContext): Promise<void> {
  const view = app.sessions.active;
  const show = (box: Box): void => app.say(linesOf(box, app.theme), view);
  switch (effect.kind) {
    case "login":
      await runCommand(app, effect.command);
      return effect.server === undefined ? show(await loginResult(context)) : pickMcp(app);
    case "logout":
      await runCommand(app, effect.command);
      return show(await logoutResult(context));
    case "ask_token":
      app.overlay = textField(
        `Value of ${effect.variable}`,
        (value) => setVariable(app, effect.variable, value, context),
        {
          secret: true,
          note: "It is used until you quit, and not stored.",
        },
      );
      return app.draw();
    case "switch_model":
      return app.sessions.configure(view, { model: effect.model });
    case "switch_mode":
      return app.sessions.configure(view, { mode: effect.mode });
    case "switch_agent":
      return app.sessions.switchAgent(view, effect.agent);
    case "handoff":
      return app.sessions.switchAgent(view, effect.to);
    case "pick":
      return { model: pickModel, mode: pickMode, agent: pickAgent, handoff: pickAgent }[effect.what](app);
    case "panel":
      return { sessions: pickSession, cloud: showCloud, diff: showDiff }[effect.panel](app);
    case "cloud_prompt":
      return startCloud(app, effect.prompt);
    case "resume":
      return void (await app.sessions.open(effect.session));
    case "fork": {
      const forked = await (await app.reins()).sessions.fork(effect.session);
      await app.sessions.open(forked.id);
      return app.flash("This is the copy. The files in the folder are not forked.", 5_000);
    }
    case "compare":
      return app.say([
        { text: "" },
        { text: app.theme.warning("Comparisons are in the page: start `reins serve` and choose Compare.") },
      ]);
    case "export":
      return exportTo(app, effect.format, effect.file);
    case "clear":
      return void app.sessions.create(app.host.cwd, view.choice);
    case "screen":
      return switchScreen(app, effect.screen);
    case "quit":
      return app.output.quit();
  }
}

async function runCommand(
  app: App,
  { command, args, env }: Extract<SlashEffect, { kind: "login" }>["command"],
): Promise<void> {
  const code = await app.host.runProgram([command, ...args], env);
  if (code !== 0) app.flash(`${command} ended with exit code ${code}.`, 4_000);
  await app.refreshAgents();
}

function setVariable(app: App, variable: string, value: string, context: SlashContext): void {
  if (value.trim() === "") return;
  app.attempt(async () => {
    app.host.setVariable(variable, value.trim());
    await app.refreshAgents();
    app.say(linesOf(await loginResult(context, false), app.theme));
  });
}

export function linesOf(box: Box, theme: Theme): readonly Line[] {
  const styles: Readonly<Record<BoxStyle, (text: string) => string>> = {
    ...{ plain: (text) => text, dim: theme.dim, bold: theme.bold, accent: theme.accent },
    ...{ success: theme.success, warning: theme.warning, error: theme.error },
  };
  const lines = box.lines.map((parts): Line => ({
    text: parts.map(({ text, style }) => styles[style](text)).join(""),
  }));
  return boxLines(box.title, lines, theme);
}

async function exportTo(app: App, named: string, file: string | undefined): Promise<void> {
  const { id, name } = app.sessions.active;
  if (id === undefined)
    throw new ReinsError("invalid_input", "This session has not begun: there is nothing to export.");
  const wanted = { markdown: "md", json: "jsonl" }[named] ?? named;
  const format = exportFormats.find((one) => one === wanted) ?? "md";
  const events = (await app.reins()).sessions.events(id);
  let text = "";
  for await (const piece of exportSession(oneByOne(events), { format, title: name })) text += piece;
  const path = await app.host.saveFile(file ?? `${id}.${format}`, text);
  app.say([{ text: "" }, { text: app.theme.success(`✓ Exported to ${oneLine(path)}`) }]);
}

async function* oneByOne(events: AsyncIterable<ReinsEvent>): AsyncGenerator<readonly ReinsEvent[]> {
  for await (const event of events) yield [event];
}
