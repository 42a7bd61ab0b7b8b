/** `/agent`, `/mode`, `/handoff`, `/fork`, `/compare` and `/export`: validate the arguments, then leave the change to the interface. */
import type { AgentStatus } from "../core/api.ts";
import { closest } from "../events/closest.ts";
import { modeMeanings, modeName, modeNamed } from "../view/mode-names.ts";
import type { Box } from "../view/slash/box.ts";
import { agentsBox, doneBox, problemBox } from "../view/slash/boxes.ts";
import { exportFormats } from "../view/export-formats.ts";
import type { SlashContext, SlashResult } from "./run.ts";

export async function switchAgent(wanted: string, context: SlashContext): Promise<SlashResult> {
  if (wanted === "") {
    const agents = (await context.reins.agents()).filter(({ family }) => family !== true);
    return { boxes: [agentsBox(agents, context.agent)], effect: { kind: "pick", what: "agent" } };
  }
  const found = await agentNamed("/agent", wanted, context);
  if ("title" in found) return { boxes: [found] };
  return { boxes: [chosen(found)], effect: { kind: "switch_agent", agent: found.id } };
}

export async function handoff(wanted: string, context: SlashContext): Promise<SlashResult> {
  if (context.sessionId === undefined) return { boxes: [nothingYet("/handoff", "Use /agent <id> to switch.")] };
  if (wanted === "") return { boxes: [], effect: { kind: "pick", what: "handoff" } };
  const found = await agentNamed("/handoff", wanted, context);
  return "title" in found ? { boxes: [found] } : { boxes: [], effect: { kind: "handoff", to: found.id } };
}

type Found = Pick<AgentStatus, "id" | "name" | "signedIn">;

/** Finds an agent by its id or name in any case, or an agent file by its name; otherwise a box that says what to do. */
async function agentNamed(title: string, wanted: string, { reins, cwd }: SlashContext): Promise<Found | Box> {
  const [agents, files] = await Promise.all([reins.agents(), reins.agentFiles({ cwd }).catch(() => [])]);
  const name = wanted.toLowerCase();
  const agent =
    agents.find(({ id, family }) => family !== true && id.toLowerCase() === name) ??
    agents.find((one) => one.family !== true && one.name.toLowerCase() === name);
  if (agent !== undefined) {
    if (agent.installed) return agent;
    return problemBox(
      title,
      `${agent.name} is not installed.`,
      `${agent.help ?? ""} Then use ${title} ${agent.id} again.`,
    );
  }
  const file = files.find(({ id }) => id.toLowerCase() === name);
  if (file?.problem !== undefined) return problemBox(title, `The agent file ${file.id} cannot be used.`, file.problem);
  if (file !== undefined) return { id: file.id, name: file.name ?? file.id, signedIn: "unknown" };
  if (agents.some(({ id, family }) => family === true && wanted.startsWith(`${id}:`))) return reins.agent(wanted);
  const near = closest(wanted, [...agents.flatMap((one) => [one.id, one.name]), ...files.map(({ id }) => id)]);
  const next = near === undefined ? "/agent lists them." : `Did you mean ${near}?`;
  return problemBox(title, `There is no agent ${wanted}.`, next);
}

function chosen({ name, signedIn }: Found): Box {
  if (signedIn === "no") return problemBox("/agent", `${name} is active but not signed in.`, "Use /login to log in.");
  return doneBox("/agent", `${name} is active.`);
}

export async function switchMode(wanted: string, { reins, agent }: SlashContext): Promise<SlashResult> {
  if (wanted === "") return { boxes: [], effect: { kind: "pick", what: "mode" } };
  const { name, capabilities } = await reins.agent(agent);
  const mode = modeNamed(wanted, capabilities);
  const offered = `Modes: ${capabilities.modes.map((one) => modeName(one, capabilities)).join(", ")}.`;
  if (mode === undefined) return { boxes: [problemBox("/mode", `There is no mode ${wanted}.`, offered)] };
  if (!capabilities.modes.includes(mode)) {
    return { boxes: [problemBox("/mode", `${name} does not have the mode ${mode}.`, offered)] };
  }
  const done = doneBox("/mode", `${name} is in the mode ${modeName(mode, capabilities)}: it ${modeMeanings[mode]}.`);
  return { boxes: [done], effect: { kind: "switch_mode", mode } };
}

export function fork(_args: string, { sessionId }: SlashContext): SlashResult {
  if (sessionId === undefined) return { boxes: [nothingYet("/fork", "Send a prompt first.")] };
  return { boxes: [], effect: { kind: "fork", session: sessionId } };
}

export function compare(prompt: string, { where }: SlashContext): SlashResult {
  if (prompt !== "") return { boxes: [], effect: { kind: "compare", prompt } };
  if (where === "terminal") return { boxes: [], effect: { kind: "panel", panel: "comparisons", query: "" } };
  return { boxes: [problemBox("/compare", "There is no prompt to compare.", "Use /compare <prompt>.")] };
}

/** `/export [format] [file]`; without a format, the file's extension decides. */
export function exportConversation(args: string, { sessionId }: SlashContext): SlashResult {
  if (sessionId === undefined) return { boxes: [nothingYet("/export", "Send a prompt first.")] };
  const [first = "", ...rest] = args.split(/\s+/);
  const named = exportFormats.find((format) => format === first.toLowerCase());
  const file = (named === undefined ? args : rest.join(" ")) || undefined;
  const ending = /\.(\w+)$/.exec(file ?? "")?.[1]?.toLowerCase();
  const format = named ?? exportFormats.find((one) => one === ending) ?? "md";
  return { boxes: [], effect: { kind: "export", format, file } };
}

function nothingYet(title: string, next: string): Box {
  return problemBox(title, "There is no conversation yet.", next);
}
