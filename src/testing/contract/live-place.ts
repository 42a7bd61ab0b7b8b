/** A place with a real agent: its program, a scripted model on loopback, an empty home, and nothing else of this machine. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, type Command } from "../../agents/shared/program/program.ts";
import { variableOf } from "../../agents/variable.ts";
import type { AgentEntry, Proof } from "../../agents/contract.ts";
import type { Reins } from "../../core/api.ts";
import { createReins } from "../../core/reins.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { scenarioPrompt } from "../conversation.ts";
import { standardScenarios } from "../scenarios.ts";
import { startScriptedModel } from "../server.ts";
import { NotProvable } from "./check.ts";
import { leftOf, createWorkspace, type Workspace } from "./workspace.ts";
import { Tap } from "./tap.ts";
import type { ContractScenario, Place, Play } from "./types.ts";

/** Options of `openLivePlace`. */
export interface LivePlaceOptions {
  readonly entry: AgentEntry;
  readonly proof: Proof;
  readonly capabilities: Capabilities;
  /** The agent's program, in the format of REINS_<AGENT>_COMMAND. Undefined for an agent that is a part of Reins. */
  readonly command?: string | undefined;
  /** The agent starts a process for each turn, and takes the end of its stdin for the end of the prompt. */
  readonly processATurn?: boolean | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Changes the model address that the agent is given. Default: the scripted model's. Another address makes the connection fail. */
  readonly modelUrl?: ((url: string) => string) | undefined;
  /** The PATH of the agent. Default: that of this process. */
  readonly path?: string | undefined;
  /** Wraps the agent entry for each Reins instance, for example in a recorder. */
  readonly wrap?:
    | ((entry: AgentEntry, place: { readonly cwd: string; readonly home: string }) => AgentEntry)
    | undefined;
}

/** Long, because an agent may need half a minute to start on a busy machine. */
const deadlineMs = 120_000;

/** Opens a place with the agent's real program and a scripted model, for `runContract`. Needs no account and no network. */
export async function openLivePlace(options: LivePlaceOptions, scenario: ContractScenario): Promise<Place> {
  const { entry, proof, capabilities } = options;
  const { deaf = false, plan = false } = scenario.place ?? {};
  if (deaf && options.command === undefined) throw new NotProvable("It has no process of its own.");
  if (deaf && options.processATurn === true)
    throw new NotProvable("It takes the end of its stdin for the end of the prompt.");
  const workspace = createWorkspace(options.path);
  const { cwd, home } = workspace;
  const model = await startScriptedModel({ proof, cwd });
  const url = options.modelUrl?.(model.url) ?? model.url;
  workspace.furnish(proof.files?.(url) ?? {});
  const program = options.command;
  const variable = variableOf(entry.id, "COMMAND");
  const command = deaf && program !== undefined ? deafProgram(workspace, commandIn(entry.id, program)) : program;
  const account = (plan ? proof.planEnv?.(url) : undefined) ?? proof.env(url);
  const variables = { ...options.env, ...account, ...(command === undefined ? {} : { [variable]: command }) };
  const tap = new Tap();
  const opened: Reins[] = [];
  const close = async (): Promise<void> => void (await Promise.all(opened.map((reins) => reins.close())));
  return {
    agent: entry.id,
    capabilities,
    live: true,
    processATurn: options.processATurn,
    cwd,
    isRepository: workspace.isRepository,
    home,
    tap,
    model,
    models: proof.models,
    compactPrompt: proof.compactPrompt,
    deadlineMs,
    reins(given = {}) {
      const env = { ...workspace.env, ...variables };
      const wrapped = options.wrap?.(entry, { cwd, home }) ?? entry;
      const reins = createReins({ env, agents: [tap.on(wrapped)], ...given });
      opened.push(reins);
      return reins;
    },
    forget: () => workspace.forget(),
    prompt: (play) => promptOf(play, proof),
    release: (gate) => model.release(gate),
    async end() {
      await close();
      return leftOf(home, tap.launched);
    },
    async clear() {
      await model.close();
      workspace.clear();
    },
  };
}

/** Throws NotProvable if the agent lacks a tool that the scenario calls. */
function promptOf({ name, arg }: Play, proof: Proof): string {
  const steps = standardScenarios.find((scenario) => scenario.name === name)?.steps ?? [];
  for (const act of steps.flat())
    if ("call" in act && proof.toolCall(act.call) === undefined)
      throw new NotProvable(`It has no tool ${act.call.tool} that its model could call.`);
  return scenarioPrompt(name, arg);
}

const commandIn = (id: string, command: string): Command =>
  commandOf({ id, command: "" }, { [variableOf(id, "COMMAND")]: command });

/** Wraps the program in one that hides the end of stdin from it. */
function deafProgram({ env }: Workspace, { path, args }: Command): string {
  const file = join(env["TMPDIR"] ?? "", "deaf");
  const start = `spawn(${JSON.stringify(path)}, [...${JSON.stringify(args)}, ...process.argv.slice(2)], { stdio: ["pipe", "inherit", "inherit"] })`;
  const script = [
    `#!${process.execPath}`,
    `const child = require("node:child_process").${start};`,
    `process.stdin.pipe(child.stdin, { end: false });`,
    `child.on("exit", (code) => process.exit(code ?? 1));`,
    `setInterval(() => {}, 1e6);`,
  ];
  writeFileSync(file, script.join("\n"), { mode: 0o755 });
  return file;
}
