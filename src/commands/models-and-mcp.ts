/** `/models`, `/model` and `/mcp`. */
import { closest } from "../events/closest.ts";
import { isReinsError } from "../events/errors.ts";
import { commandLine } from "../view/command-line.ts";
import { box, line, said } from "../view/slash/box.ts";
import { doneBox, mcpBox, modelsBox, problemBox, runThereBox } from "../view/slash/boxes.ts";
import { mcpFacts, modelFacts, type ListedModel } from "./facts.ts";
import type { SlashContext, SlashResult } from "./run.ts";

export async function listModels(_args: string, { reins, agent: id, model }: SlashContext): Promise<SlashResult> {
  const models = await modelFacts(await reins.manage(id), { chosen: model });
  const agent = await reins.agent(id);
  return { boxes: [modelsBox(agent, models, model)] };
}

export async function switchModel(wanted: string, { reins, agent: id }: SlashContext): Promise<SlashResult> {
  if (wanted === "") return { boxes: [], effect: { kind: "pick", what: "model" } };
  const { name } = await reins.agent(id);
  const models = await modelFacts(await reins.manage(id)).catch(noList);
  const found = models === undefined ? { id: wanted } : modelNamed(wanted, models);
  if (found !== undefined) {
    const shown = doneBox("/model", `${name} uses ${found.id} from the next prompt on.`);
    return { boxes: [shown], effect: { kind: "switch_model", model: found.id } };
  }
  const near = nearModels(wanted, models ?? []);
  const meant = near.length === 0 ? "" : `Did you mean ${near.join(", ")}? `;
  return { boxes: [problemBox("/model", `${name} has no model ${wanted}.`, `${meant}/models lists them.`)] };
}

/** An agent without a model list gets the name as typed. */
function noList(thrown: unknown): undefined {
  if (isReinsError(thrown) && thrown.code === "unsupported") return undefined;
  throw thrown;
}

/** Finds a model by its id or label in any case, else the only one whose id contains the name. */
export function modelNamed<Model extends Pick<ListedModel, "id" | "label">>(
  wanted: string,
  models: readonly Model[],
): Model | undefined {
  const name = wanted.toLowerCase();
  const exact =
    models.find(({ id }) => id === wanted) ??
    models.find(({ id, label }) => id.toLowerCase() === name || label?.toLowerCase() === name);
  if (exact !== undefined) return exact;
  const containing = models.filter(({ id }) => id.toLowerCase().includes(name));
  return containing.length === 1 ? containing[0] : undefined;
}

const nearest = 3;

function nearModels(wanted: string, models: readonly Pick<ListedModel, "id">[]): readonly string[] {
  const ids = models.map(({ id }) => id);
  const containing = ids.filter((id) => id.toLowerCase().includes(wanted.toLowerCase()));
  const close = closest(wanted, ids);
  return [...new Set([...(close === undefined ? [] : [close]), ...containing])].slice(0, nearest);
}

const actions = ["enable", "disable", "login", "tools"] as const;
const usage = "/mcp, /mcp enable <name>, /mcp disable <name>, /mcp login <name> or /mcp tools <name>";

/** Lists the servers, or changes one and lists them afterwards. */
export async function manageMcp(args: string, { reins, agent: id, cwd, where }: SlashContext): Promise<SlashResult> {
  const agent = await reins.agent(id);
  const manage = await reins.manage(id);
  if (args === "") return { boxes: [mcpBox(agent, await mcpFacts(manage, cwd))] };
  const [word = "", ...rest] = args.split(/\s+/);
  const name = rest.join(" ");
  const action = actions.find((known) => known === word.toLowerCase());
  if (action === undefined || name === "") {
    const message = action === undefined ? `/mcp cannot ${word}.` : `Which MCP server should /mcp ${action} use?`;
    return { boxes: [problemBox("/mcp", message, `Use ${usage}.`)] };
  }
  if (action === "login") {
    const command = await manage.mcp.login(name);
    const shown = where === "page" ? [runThereBox(`MCP Login (${name})`, commandLine(command))] : [];
    return { boxes: shown, effect: { kind: "login", command, server: name } };
  }
  if (action === "tools") {
    const tools = await manage.mcp.tools(name, { cwd });
    const lines = tools.map((tool) => [said(tool.name), said(tool.parameters?.join(", ") ?? "", "dim")]);
    const spaced = lines.map(([tool, takes]) => [tool!, { ...takes!, text: takes!.text && `  ${takes!.text}` }]);
    return { boxes: [box(`MCP Tools (${name})`, tools.length === 0 ? [line("No tools.", "dim")] : spaced)] };
  }
  // Some agents accept the name of a server that they do not have.
  const names = (await mcpFacts(manage, cwd)).map((server) => server.name);
  if (!names.includes(name)) {
    const near = closest(name, names);
    const next = near === undefined ? "/mcp lists them." : `Did you mean ${near}?`;
    return { boxes: [problemBox("/mcp", `${agent.name} has no MCP server ${name}.`, next)] };
  }
  await manage.mcp[action](name, { cwd });
  const done = doneBox("/mcp", `${name} is ${action}d.`);
  return { boxes: [done, mcpBox(agent, await mcpFacts(manage, cwd))] };
}
