import type { AboutFact, ModelInfo } from "../../agents/contract.ts";
import type { AgentStatus } from "../../core/api.ts";
import type { AgentFileInfo } from "../../core/config/agent-files.ts";
import { columnsOf, padColumns } from "../../events/columns.ts";
import { commandName } from "../installation.ts";
import { flat, table } from "./table.ts";

/** All agents: ready, or what to do. */
export function agentsTable(found: readonly AgentStatus[]): string {
  const rows = found.map((status) => ({
    cells: [idOf(status), status.ready ? "yes" : "no", status.version, signedIn(status), place(status)],
    below: status.help && `→ ${status.help}`,
  }));
  const command = commandName();
  const hint = `\nSend a prompt: ${command} run -a <agent> "..."\nModels and modes: ${command} agents <agent>\n`;
  return table(["agent", "ready", "version", "signed in", "found"], rows) + hint;
}

export function idOf({ id, experimental }: AgentStatus): string {
  return experimental ? `${id} (experimental)` : id;
}

function place({ builtIn, path, installed }: AgentStatus): string {
  return builtIn === true ? "built in" : (path ?? (installed ? "yes" : "no"));
}

export function signedIn({ builtIn, signedIn: state, signedInHow, installed }: AgentStatus): string {
  if (builtIn === true) return "not needed";
  return signedInHow ?? (installed ? state : "");
}

/** Agent files with the agent they use and their problems. */
export function agentFilesTable(files: readonly AgentFileInfo[]): string {
  if (files.length === 0) return "";
  const rows = files.map(({ id, agent, model, mode, name, description = name, path, problem, ignored = [] }) => {
    const said = problem === undefined ? ignored : [problem];
    const below = said.length === 0 ? undefined : `→ ${said.join(" ")}`;
    return { cells: [id, agent, model, mode, description, path], below };
  });
  return `\n${table(["agent file", "agent", "model", "mode", "what it is", "found"], rows)}`;
}

export function agentDetails(status: AgentStatus, about: readonly AboutFact[] = []): string {
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["ready", [status.ready ? "yes" : "no"]],
    ["version", status.version === undefined ? [] : [versionOf(status)]],
    ["signed in", signedIn(status) === "" ? [] : [signedIn(status)]],
    ["keys set", status.keysSet ?? []],
    ["found", [place(status), ...(status.others ?? []).map((path) => `${path} (not used: later on PATH)`)]],
    ...about.map(({ label, value }) => [label, [value]] as const),
    ["modes", [status.capabilities.modes.join(", ")]],
    ["hooks", hookLines(status)],
    ["models", modelLines(status.models ?? [])],
  ];
  const width = Math.max(...facts.map(([name]) => columnsOf(name)));
  const lines = facts.flatMap(([name, values]) =>
    values.map((value, index) => `  ${padColumns(index === 0 ? name : "", width)}  ${flat(value)}`),
  );
  const help = status.help === undefined ? [] : [`→ ${status.help}`];
  return `${[`${status.name} (${status.id})`, ...lines, ...help].join("\n")}\n`;
}

function hookLines({ capabilities: { hooks } }: AgentStatus): readonly string[] {
  const words = { fires: "fire", silent: "do not fire", unknown: "not known" } as const;
  return (["fires", "silent", "unknown"] as const).flatMap((which) => {
    const names = hooks?.[which] ?? [];
    return names.length === 0 ? [] : [`${words[which]}: ${names.join(", ")}`];
  });
}

function versionOf({ version = "", testedVersion }: AgentStatus): string {
  return testedVersion === undefined || testedVersion === version
    ? version
    : `${version} (Reins is tested with ${testedVersion})`;
}

/** Lists one model per line: the name to type, the label, and further facts. */
export function modelLines(models: readonly ModelInfo[]): readonly string[] {
  const width = Math.max(0, ...models.map(({ id }) => columnsOf(id)));
  return models.map((model) => flat(`${padColumns(model.id, width)}  ${aboutModel(model)}`).trimEnd());
}

function aboutModel({ id, label, description, ...model }: ModelInfo): string {
  const words = [label === id ? undefined : label, description].filter((part) => part !== undefined).join(": ");
  const facts = [
    model.default === true ? "default" : undefined,
    model.current === true ? "current" : undefined,
    model.provider,
    thinking(model.thinking),
    model.contextSize === undefined ? undefined : `${tokens(model.contextSize)} tokens`,
  ].filter((fact) => fact !== undefined);
  return [words, facts.length === 0 ? "" : `(${facts.join(", ")})`].filter((part) => part !== "").join(" ");
}

function thinking(can: ModelInfo["thinking"]): string | undefined {
  if (can === undefined || can === false) return undefined;
  return can === true || can.length === 0 ? "thinks" : `thinks: ${can.join("/")}`;
}

function tokens(size: number): string {
  if (size >= 1_000_000) return `${Math.round(size / 100_000) / 10}M`;
  return size >= 1_000 ? `${Math.round(size / 1_000)}k` : String(size);
}
