/** Runs a slash command through the server's API and performs its effect in the page. */
import { createClient } from "../../client/reins.ts";
import {
  failureBox,
  loginResult,
  logoutResult,
  runSlash,
  type SlashContext,
  type SlashEffect,
} from "../../commands/run.ts";
import { ReinsError } from "../../events/errors.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { doneBox } from "../../view/slash/boxes.ts";
import type { Box } from "../../view/slash/box.ts";
import type { SlashCommand, SlashName } from "../../view/slash/commands.ts";
import { commandLine } from "../../view/command-line.ts";
import { keysOpen } from "../keys-overlay.tsx";
import { forkSession } from "../session-menu/session-menu.tsx";
import { findSessions } from "../sidebar/find-sessions.ts";
import { refreshAgents } from "../state/agents.ts";
import { announce, toastError } from "../state/messages.ts";
import { navigate, sessionPath } from "../state/route.ts";
import { call, meStore, sessionApi } from "../state/server.ts";
import { keepKey } from "../state/typed-keys.ts";
import { showBoxes, showPending, type BoxAction } from "./boxes.ts";
import { slashDialog } from "./dialog-store.ts";
import type { SlashHost } from "./use-slash.ts";

/** Delay before the object URL is revoked: the browser has read the download by then. */
const revokeMs = 60_000;

const reins = createClient({ url: location.origin, patienceMs: 0 });

export async function execute(command: SlashCommand, args: string, host: SlashHost): Promise<void> {
  const settled = showPending(host.place, host.entries, `/${command.name}`);
  const show = (boxes: readonly Box[], actions?: readonly BoxAction[]): void =>
    showBoxes(host.place, host.entries, boxes, actions);
  try {
    const context = await contextOf(host);
    const { boxes, effect } = await runSlash(command, args, context);
    // Make the change first, then show the box that reports it.
    const done = effect === undefined ? {} : await carryOut(effect, { host, context, show });
    show([...boxes, ...(done.boxes ?? [])], [...(done.actions ?? []), ...(links[command.name]?.(context) ?? [])]);
  } catch (thrown) {
    show([failureBox(`/${command.name}`, thrown)]);
  } finally {
    settled();
  }
}

async function contextOf(host: SlashHost): Promise<SlashContext> {
  const { agent = (await reins.agents()).find(({ ready }) => ready)?.id, model, mode, sessionId, cwd, own } = host;
  if (agent === undefined)
    throw new ReinsError("not_installed", "No agent is ready. The Agents page shows what each one needs.");
  const me = meStore.get();
  const platform = me.state === "known" ? me.me.platform : undefined;
  return { reins, agent, model, mode, sessionId, cwd, platform, where: "page", own };
}

/** Links to the page where the same facts are shown in full or can be changed. */
const links: Partial<Readonly<Record<SlashName, (context: SlashContext) => readonly BoxAction[]>>> = {
  help: () => [{ label: "Shortcuts", run: () => keysOpen.set(true) }],
  mcp: ({ agent, cwd }) => [{ label: "Manage", run: () => slashDialog.set({ kind: "mcp", agent, cwd }) }],
  usage: () => [{ label: "All usage", run: () => navigate("/usage") }],
  policy: () => [{ label: "All rules", run: () => navigate("/rules") }],
};

interface Carrying {
  readonly host: SlashHost;
  readonly context: SlashContext;
  readonly show: (boxes: readonly Box[]) => void;
}

interface Done {
  readonly boxes?: readonly Box[];
  readonly actions?: readonly BoxAction[];
}

async function carryOut(effect: SlashEffect, { host, context, show }: Carrying): Promise<Done> {
  switch (effect.kind) {
    case "login":
      if (effect.server !== undefined) return { actions: [copyAction(effect.command)] };
      return { actions: [copyAction(effect.command), checkAction(() => loginResult(context), show)] };
    case "logout":
      return { actions: [copyAction(effect.command), checkAction(() => logoutResult(context), show)] };
    case "ask_token": {
      const { agent } = context;
      const onToken = (value: string): void => {
        keepKey(agent, effect.variable, value);
        const said = `${effect.variable} is used for sessions that you start in this page, until you close it.`;
        show([doneBox("/login", said)]);
      };
      return done(slashDialog.set({ kind: "token", agent, variable: effect.variable, onToken }));
    }
    case "switch_model":
      return done(await host.configure({ model: effect.model }));
    case "switch_mode":
      return done(await host.configure({ mode: effect.mode }));
    case "switch_agent":
      return done(await host.switchAgent(effect.agent));
    case "handoff":
      return done(await host.switchAgent(effect.to));
    case "pick":
      return done(pick(effect.what, host));
    case "panel":
      return done(openPanel(effect, host));
    case "cloud_prompt":
      return done(navigate(`/cloud?prompt=${encodeURIComponent(effect.prompt)}`));
    case "resume": {
      const cwd = new URLSearchParams({ cwd: host.cwd }).toString();
      const { id } = await call<SessionSummary>("GET", `${sessionApi(effect.session)}?${cwd}`);
      return done(navigate(sessionPath(id)));
    }
    case "fork":
      return done(await forkSession(effect.session));
    case "compare":
      return done(navigate(`/compare?prompt=${encodeURIComponent(effect.prompt)}`));
    case "export":
      return { boxes: [doneBox("/export", `${await download(host, effect)} is in your downloads.`)] };
    case "clear":
      return done(navigate(`/new?${new URLSearchParams({ cwd: host.cwd, agent: context.agent }).toString()}`));
    // `runSlash` answers these itself in a page.
    case "screen":
    case "quit":
      return {};
  }
}

/** Nothing to report: the page shows the change. */
function done(_changed: void): Done {
  return {};
}

function pick(what: "model" | "agent" | "mode" | "handoff", host: SlashHost): void {
  if (what === "model" || what === "mode") openPicker(what === "model" ? "Model" : "Mode");
  else if (host.sessionId === undefined) openPicker("Agent");
  else slashDialog.set({ kind: "handoff", session: host.sessionId });
}

/** Opens a picker below the prompt, or says that it cannot be used now. */
function openPicker(label: "Agent" | "Model" | "Mode"): void {
  const button = document.querySelector<HTMLButtonElement>(`.prompt-pickers button[aria-label^="${label}:"]`);
  if (button !== null && !button.disabled) return button.click();
  throw new ReinsError("invalid_input", `The ${label.toLowerCase()} cannot be changed now.`, {
    help: "A turn is running, or the agent does not support it. /clear starts a new session where you can choose it.",
  });
}

function openPanel({ panel, query }: Extract<SlashEffect, { kind: "panel" }>, host: SlashHost): void {
  if (panel === "sessions") findSessions(query);
  else if (panel === "cloud" || panel === "settings") navigate(`/${panel}`);
  else if (host.sessionId === undefined)
    throw new ReinsError("invalid_input", "There is no conversation yet.", { help: "Send a prompt first." });
  else host.showDiff();
}

function copyAction(command: Parameters<typeof commandLine>[0]): BoxAction {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(commandLine(command));
    announce("Copied.");
  };
  return { label: "Copy command", run: () => void copy().catch(toastError) };
}

/** A button that checks whether the command that the person ran elsewhere has worked. */
function checkAction(result: () => Promise<Box>, show: Carrying["show"]): BoxAction {
  const check = async (): Promise<void> => {
    show([await result()]);
    await refreshAgents();
  };
  return { label: "Check again", run: () => void check().catch(toastError) };
}

/**
 * Downloads an export. The browser chooses the folder, so only the file name of a path is used. No plain link: the name in the server's
 * header would win.
 */
async function download(
  { sessionId = "" }: SlashHost,
  { format, file }: Extract<SlashEffect, { kind: "export" }>,
): Promise<string> {
  const answer = await fetch(`${sessionApi(sessionId)}/export?format=${format}`);
  if (!answer.ok) throw new ReinsError("network", `The server answered with ${answer.status}.`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = file?.split(/[\\/]/).at(-1) || `${sessionId}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), revokeMs);
  return link.download;
}
