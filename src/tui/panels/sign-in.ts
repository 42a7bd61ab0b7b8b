/** Signing in and out, and the next step for an agent that is not installed or not signed in. */
import { loginResult, logoutResult, type SlashContext, type SlashEffect } from "../../commands/run.ts";
import type { AgentStatus } from "../../core/api.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import { loginBoxes } from "../../view/slash/boxes.ts";
import type { App } from "../app/app.ts";
import { systemMessage } from "../app/box.ts";
import { confirmLater } from "../app/confirm-later.ts";
import type { SessionView } from "../app/session-view.ts";
import { pickMcp } from "./mcp.ts";
import { textField } from "../app/overlay.ts";

type Command = Extract<SlashEffect, { readonly kind: "login" }>["command"];

/** Runs a command of an agent in the user's terminal. */
async function runCommand(app: App, { command, args, env }: Command): Promise<number> {
  const code = await app.host.runProgram([command, ...args], env);
  await app.refreshAgents();
  return code;
}

/** `server`: an MCP server of the agent, instead of the agent itself. */
export async function logIn(app: App, command: Command, context: SlashContext, server?: string): Promise<void> {
  const view = app.sessions.active;
  const code = await runCommand(app, command);
  if (server !== undefined) return pickMcp(app);
  app.say(systemMessage(await loginResult(context, code), app.theme), view);
}

export async function logOut(app: App, command: Command, context: SlashContext): Promise<void> {
  const view = app.sessions.active;
  const code = await runCommand(app, command);
  app.say(systemMessage(await logoutResult(context, code), app.theme), view);
}

/** Asks for a token without echo. Only the sessions of this agent get it. */
export function askToken(app: App, variable: string, { agent }: SlashContext): void {
  const view = app.sessions.active;
  const accept = (typed: string): void => {
    const value = typed.trim();
    if (value === "") return app.flash("Nothing was entered.");
    app.attempt(async () => {
      await app.sessions.useVariable(agent, variable, value);
      if (view.id === undefined) view.choice = { ...view.choice, agent };
      const name = app.agents.find(({ id }) => id === agent)?.name ?? agent;
      app.say(systemMessage(loginBoxes.tokenTaken(name, variable), app.theme), view);
    });
  };
  const note = "The value is hidden, used until you quit, and not stored.";
  app.overlay = textField(`Value of ${oneLine(variable)}`, accept, { secret: true, note });
  app.draw();
}

/** After a failure, shows how to install the agent or starts its sign-in. `retry` repeats the failed action. */
export function offerNextStep(
  app: App,
  view: SessionView,
  { code, agent: named }: Pick<ErrorInfo, "code" | "agent">,
  retry: () => void,
): void {
  if (view !== app.sessions.active || app.overlay !== undefined) return;
  const id = named ?? view.agent;
  const agent = app.agents.find((one) => one.id === id);
  if (agent === undefined) return;
  if (code === "not_installed") offerInstallation(app, agent, retry);
  if (code === "not_authenticated") offerSignIn(app, agent);
}

/** Shows how to install the agent, and checks again when the person has done it. */
export function offerInstallation(app: App, agent: AgentStatus, retry: () => void): void {
  confirmLater(app, {
    ...{ kind: "confirm", title: `${oneLine(agent.name)} is not installed`, yes: "try again" },
    lines: [{ text: oneLine(agent.help ?? "Install it, then try again.") }],
    accept: () =>
      app.attempt(async () => {
        const found = (await app.refreshAgents()).find(({ id }) => id === agent.id);
        if (found?.installed === true) retry();
        else offerInstallation(app, found ?? agent, retry);
        app.draw();
      }),
  });
}

/** Starts the sign-in, which then says who is signed in and how. */
export function offerSignIn(app: App, agent: AgentStatus): void {
  confirmLater(app, {
    ...{ kind: "confirm", title: `${oneLine(agent.name)} is not signed in`, yes: "sign in" },
    lines: [{ text: oneLine(agent.help ?? "Sign in to use it.") }],
    accept: () => app.runCommand("/login"),
  });
}
