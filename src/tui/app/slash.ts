/** Slash commands in the terminal. `commands/run.ts` runs them, as in the page; this file carries out their effects. */
import { runSlash, type SlashContext, type SlashEffect } from "../../commands/run.ts";
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { exportFormats } from "../../view/export-formats.ts";
import { exportSession } from "../../view/export.ts";
import { parseSlash, type SlashCommand } from "../../view/slash/commands.ts";
import { chooseAgents, showComparisons } from "../panels/comparison.ts";
import { pickMcp } from "../panels/mcp.ts";
import { pickAgent, pickMode, pickModel } from "../panels/pickers.ts";
import { forkSession, pickSession } from "../panels/session-list.ts";
import { showSettings } from "../panels/settings.ts";
import { askToken, logIn, logOut, offerSignIn } from "../panels/sign-in.ts";
import type { App } from "./app.ts";
import { boxLines, systemMessage } from "./box.ts";
import { showDiff } from "./changes.ts";
import { showCloud } from "../cloud/panel.ts";
import { startCloud } from "../cloud/start.ts";
import { keyLines } from "./shortcuts.ts";
import { slashContext } from "./slash-context.ts";
import { switchScreen } from "./screens.ts";

/** Returns whether the text is a command. An unknown command is not sent to the agent. */
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
    const context = await slashContext(app);
    const { boxes, effect } = await runSlash(command, args, context);
    // Show the keys first, so that the commands below them stay on the screen.
    if (command.name === "help" && args === "") app.say(boxLines("Keys", keyLines(app), app.theme), view);
    // A list to choose from shows the same.
    if (effect?.kind !== "pick") for (const box of boxes) app.say(systemMessage(box, app.theme), view);
    if (effect !== undefined) await carryOut(app, effect, context);
    app.draw();
  });
}

async function carryOut(app: App, effect: SlashEffect, context: SlashContext): Promise<void> {
  const view = app.sessions.active;
  switch (effect.kind) {
    case "login":
      await logIn(app, effect.command, context, effect.server);
      return;
    case "logout":
      return logOut(app, effect.command, context);
    case "ask_token":
      return askToken(app, effect.variable, context);
    case "switch_model":
      return app.sessions.configure(view, { model: effect.model });
    case "switch_mode":
      return app.sessions.configure(view, { mode: effect.mode });
    case "switch_agent": {
      await app.sessions.switchAgent(view, effect.agent);
      const agent = app.agents.find(({ id }) => id === effect.agent);
      return agent?.signedIn === "no" ? offerSignIn(app, agent) : undefined;
    }
    case "handoff":
      return app.sessions.switchAgent(view, effect.to);
    case "pick":
      return { model: pickModel, mode: pickMode, agent: pickAgent, handoff: pickAgent }[effect.what](app);
    case "panel":
      return {
        sessions: pickSession,
        cloud: showCloud,
        diff: showDiff,
        settings: showSettings,
        comparisons: showComparisons,
      }[effect.panel](app, effect.query);
    case "cloud_prompt":
      return startCloud(app, effect.prompt);
    case "resume":
      if ((await app.sessions.open(effect.session)) === view) app.flash("This session is already open.");
      return;
    case "fork":
      return forkSession(app, effect.session);
    case "compare":
      return chooseAgents(app, effect.prompt);
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

async function exportTo(app: App, named: string, file: string | undefined): Promise<void> {
  const { id, name } = app.sessions.active;
  if (id === undefined) throw new ReinsError("invalid_input", "Send a prompt first: there is nothing to export yet.");
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
