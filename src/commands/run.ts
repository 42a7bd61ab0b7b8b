/** Runs a slash command: returns boxes to show and at most one effect that the interface carries out. */
import type { AgentStatus, Reins } from "../core/api.ts";
import { isReinsError, toReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import { commandLine } from "../view/command-line.ts";
import type { ExportFormat } from "../view/export-formats.ts";
import type { Box } from "../view/slash/box.ts";
import * as boxes from "../view/slash/boxes.ts";
import type { OwnCommand, SlashCommand, SlashName, SlashPlace } from "../view/slash/commands.ts";
import type { PlatformFacts } from "../view/slash/facts.ts";
import { policyBox, usageBox } from "../view/slash/record-boxes.ts";
import { statusFacts, type ManagementCommand } from "./facts.ts";
import { compare, exportConversation, fork, handoff, switchAgent, switchMode } from "./switching.ts";
import { listModels, manageMcp, switchModel } from "./models-and-mcp.ts";

export interface SlashContext {
  readonly reins: Pick<Reins, "agent" | "agents" | "agentFiles" | "manage" | "sessions" | "usage" | "policy">;
  /** The id of the active agent. */
  readonly agent: string;
  /** The model that was chosen for the session, if any. */
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Undefined before the first prompt. */
  readonly sessionId?: string | undefined;
  readonly cwd: string;
  /** Undefined when unknown, as in a page. */
  readonly platform?: PlatformFacts | undefined;
  readonly where: SlashPlace;
  /** Commands that the agent offers. */
  readonly own?: readonly OwnCommand[] | undefined;
  /** Current time in milliseconds, for tests. */
  readonly now?: number | undefined;
}

type Panel = "comparisons" | "sessions" | "cloud" | "diff" | "settings";

/** The part of a command that the interface carries out. Queries and changes of settings are done already. */
export type SlashEffect =
  /** Run the command in the user's terminal, then show `loginResult` (for an MCP server: `/mcp` again). A page only shows the command. */
  | { readonly kind: "login"; readonly command: ManagementCommand; readonly server?: string | undefined }
  /** Ask for the value without echo, pass it to the sessions of the agent as this variable, then show `loginBoxes.tokenTaken`. */
  | { readonly kind: "ask_token"; readonly variable: string }
  /** Run the command, then show `logoutResult`. */
  | { readonly kind: "logout"; readonly command: ManagementCommand }
  | { readonly kind: "switch_model"; readonly model: string }
  | { readonly kind: "switch_agent"; readonly agent: string }
  | { readonly kind: "switch_mode"; readonly mode: Mode }
  /** Open a picker. */
  | { readonly kind: "pick"; readonly what: "model" | "agent" | "mode" | "handoff" }
  /** Open a panel with a search text. */
  | { readonly kind: "panel"; readonly panel: Panel; readonly query: string }
  | { readonly kind: "cloud_prompt"; readonly prompt: string }
  /** An id or its first characters; `last` is the last session in the folder. */
  | { readonly kind: "resume"; readonly session: string }
  | { readonly kind: "fork"; readonly session: string }
  | { readonly kind: "handoff"; readonly to: string }
  | { readonly kind: "compare"; readonly prompt: string }
  | { readonly kind: "export"; readonly format: ExportFormat; readonly file: string | undefined }
  | { readonly kind: "clear" }
  | { readonly kind: "screen"; readonly screen: "inline" | "full" }
  | { readonly kind: "quit" };

export interface SlashResult {
  readonly boxes: readonly Box[];
  readonly effect?: SlashEffect | undefined;
}

type Runner = (args: string, context: SlashContext) => SlashResult | Promise<SlashResult>;

const runners: Readonly<Record<SlashName, Runner>> = {
  login,
  logout,
  status: async (_args, { reins, ...context }) => ({ boxes: [boxes.statusBox(await statusFacts(reins, context))] }),
  models: listModels,
  model: switchModel,
  mcp: manageMcp,
  agent: switchAgent,
  mode: switchMode,
  cloud: (args) => effect(args === "" ? panel("cloud") : { kind: "cloud_prompt", prompt: args }),
  sessions: (args) => effect(panel("sessions", args)),
  resume: async (args, { reins, cwd }) => effect({ kind: "resume", session: args || (await lastIn(reins, cwd)) }),
  fork,
  handoff,
  compare,
  clear: () => effect({ kind: "clear" }),
  diff: (args) => effect(panel("diff", args)),
  usage: showUsage,
  policy: async (_args, { reins, cwd, mode }) => ({ boxes: [policyBox(await reins.policy({ cwd }), mode)] }),
  export: exportConversation,
  settings: () => effect(panel("settings")),
  inline: (_args, { where }) => (where === "page" ? notInPage("inline") : effect({ kind: "screen", screen: "inline" })),
  full: (_args, { where }) => (where === "page" ? notInPage("full") : effect({ kind: "screen", screen: "full" })),
  help: (_args, { own, where }) => ({ boxes: [boxes.helpBox({ own, where })] }),
  quit: (_args, { where }) => (where === "page" ? notInPage("quit") : effect({ kind: "quit" })),
};

const insteadOf = {
  inline: ["A page has no inline screen.", "Run `reins --inline` in a terminal."],
  full: ["A page has one screen.", "Run `reins` in a terminal for the full screen."],
  quit: ["A page closes with its tab; sessions keep running.", "/clear starts a new conversation."],
} as const;

function notInPage(name: keyof typeof insteadOf): SlashResult {
  const [message, next] = insteadOf[name];
  return { boxes: [boxes.problemBox(`/${name}`, message, next)] };
}

/** Never throws: a failure becomes a box with the problem and the next step. */
export async function runSlash(
  command: Pick<SlashCommand, "name">,
  args: string,
  context: SlashContext,
): Promise<SlashResult> {
  try {
    return await runners[command.name](args.trim(), context);
  } catch (thrown) {
    return { boxes: [failureBox(`/${command.name}`, thrown)] };
  }
}

/** The problem in one sentence, and the next step: how to install, how to sign in, what to do instead. */
export function failureBox(title: string, thrown: unknown): Box {
  const { code, message, help } = toReinsError(thrown);
  const after = { not_installed: `Then use ${title} again.`, not_authenticated: "Use /login to log in." };
  const next = code === "not_installed" || code === "not_authenticated" ? after[code] : undefined;
  return boxes.problemBox(title, message, [help, next].filter((part) => part !== undefined).join(" "));
}

/** Shown after the command of a `login` effect has ended, with its exit code. */
export async function loginResult({ reins, agent: id }: SlashContext, exitCode = 0): Promise<Box> {
  const agent = await freshStatus(reins, id);
  if (exitCode !== 0 || agent.signedIn === "no" || !agent.installed) return boxes.loginBoxes.failed(agent, exitCode);
  if (agent.signedIn === "unknown") return boxes.loginBoxes.unknown(agent);
  const about = await (await reins.manage(id)).about().catch(() => []);
  return boxes.loginBoxes.done({ ...agent, about });
}

/** Shown after the command of a `logout` effect has ended, with its exit code. */
export async function logoutResult({ reins, agent: id }: SlashContext, exitCode = 0): Promise<Box> {
  const agent = await freshStatus(reins, id);
  if (exitCode !== 0) return boxes.logoutBoxes.failed(agent, exitCode);
  const still = agent.signedIn === "yes" ? (agent.signedInHow ?? "yes") : undefined;
  return still === undefined ? boxes.logoutBoxes.done(agent) : boxes.logoutBoxes.stillSignedIn(agent, still);
}

async function freshStatus(reins: SlashContext["reins"], id: string): Promise<AgentStatus> {
  // `agent()` may return a cached sign-in; the member of a family is not in the list of all.
  return (await reins.agents({ fresh: true })).find((agent) => agent.id === id) ?? reins.agent(id);
}

/** Three ways: the agent's own command (a browser or the terminal), a token typed here, or a variable to set. */
async function login(args: string, { reins, agent: id, where }: SlashContext): Promise<SlashResult> {
  const { name, keyVariables = [] } = await reins.agent(id);
  const [way, variable = keyVariables[0]] = args.split(/\s+/);
  if (way === "token" && variable !== undefined) {
    // A page asks in a dialog that says the same.
    const shown = where === "page" ? [] : [boxes.loginBoxes.token(name, variable)];
    return { boxes: shown, effect: { kind: "ask_token", variable } };
  }
  try {
    const command = await (await reins.manage(id)).login();
    const { command: local, elsewhere } = boxes.loginBoxes;
    const shown = (where === "page" ? elsewhere : local)(name, command, variable);
    return { boxes: [shown], effect: { kind: "login", command } };
  } catch (thrown) {
    if (!isReinsError(thrown) || thrown.code !== "unsupported" || variable === undefined) throw thrown;
    const shown = boxes.loginBoxes.variable(name, keyVariables, thrown.help);
    return { boxes: [shown], ...(where === "terminal" && { effect: { kind: "ask_token", variable } }) };
  }
}

async function logout(_args: string, { reins, agent, where }: SlashContext): Promise<SlashResult> {
  const command = await (await reins.manage(agent)).logout();
  if (where !== "page") return { boxes: [], effect: { kind: "logout", command } };
  const shown = boxes.runThereBox(`Log Out (${(await reins.agent(agent)).name})`, commandLine(command));
  return { boxes: [shown], effect: { kind: "logout", command } };
}

/** The last session of a folder, which may differ from the folder of this process. */
async function lastIn({ sessions }: SlashContext["reins"], cwd: string): Promise<string> {
  const [last] = await sessions.list({ cwd, limit: 1 }).catch(() => []);
  return last?.id ?? "last";
}

const usageDays = 7;

async function showUsage(_args: string, { reins, now = Date.now() }: SlashContext): Promise<SlashResult> {
  const since = new Date(now - (usageDays - 1) * 86_400_000).toISOString().slice(0, 10);
  return { boxes: [usageBox(await reins.usage(since), { days: usageDays, now })] };
}

function effect(wanted: SlashEffect): SlashResult {
  return { boxes: [], effect: wanted };
}

function panel(name: Panel, query = ""): SlashEffect {
  return { kind: "panel", panel: name, query };
}
