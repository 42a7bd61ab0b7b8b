/** A place with a real agent: its program, a scripted model on loopback, a fresh home and nothing else of this machine. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { variableOf } from "../../agents/variable.ts";
import type { AgentEntry, Proof } from "../../agents/contract.ts";
import type { Reins } from "../../core/api.ts";
import { createReins } from "../../core/reins.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { scenarioPrompt } from "../conversation.ts";
import { standardScenarios } from "../scenarios/index.ts";
import { startScriptedModel } from "../server.ts";
import { NotProvable } from "./check.ts";
import { leftOf } from "./left.ts";
import { Tap } from "./tap.ts";
import type { ContractScenario, Place, Play } from "./types.ts";
import { createWorkspace } from "./workspace.ts";

export interface LivePlaceOptions {
  readonly entry: AgentEntry;
  readonly proof: Proof;
  readonly capabilities: Capabilities;
  /** Its program; an agent without one has none. */
  readonly command?: string | undefined;
  /** Default: that of this process. */
  readonly path?: string | undefined;
  /** Wraps the agent once more for each Reins, such as in a recorder. */
  readonly wrap?:
    | ((entry: AgentEntry, place: { readonly cwd: string; readonly home: string }) => AgentEntry)
    | undefined;
}

const deadlineMs = 45_000;

export async function openLivePlace(options: LivePlaceOptions, scenario: ContractScenario): Promise<Place> {
  const { entry, proof, capabilities } = options;
  const { deaf = false, plan = false } = scenario.place ?? {};
  if (deaf && options.command === undefined) throw new NotProvable("It has no process of its own.");
  const workspace = createWorkspace(options.path);
  const { cwd, home } = workspace;
  const model = await startScriptedModel({ proof, cwd });
  workspace.furnish(proof.files?.(model.url) ?? {});
  const command =
    deaf && options.command !== undefined ? deafProgram(workspace.env["TMPDIR"]!, options.command) : options.command;
  const account = (plan ? proof.planEnv?.(model.url) : undefined) ?? proof.env(model.url);
  const variables = { ...account, ...(command === undefined ? {} : { [variableOf(entry.id, "COMMAND")]: command }) };
  const tap = new Tap();
  const opened: Reins[] = [];
  const close = async (): Promise<void> => void (await Promise.all(opened.map((reins) => reins.close())));
  return {
    agent: entry.id,
    capabilities,
    live: true,
    cwd,
    home,
    forgets: true,
    tap,
    model,
    models: proof.models,
    compactPrompt: proof.compactPrompt,
    deadlineMs,
    reins({ elsewhere = false, ...rest } = {}) {
      const env = { ...(elsewhere ? workspace.elsewhere() : workspace.env), ...variables };
      const wrapped = options.wrap?.(entry, { cwd, home }) ?? entry;
      const reins = createReins({ env, agents: [tap.on(wrapped)], ...rest });
      opened.push(reins);
      return reins;
    },
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

/** An agent that lacks a tool cannot be made to use it. */
function promptOf({ name, arg }: Play, proof: Proof): string {
  const steps = standardScenarios.find((scenario) => scenario.name === name)?.steps ?? [];
  for (const act of steps.flat())
    if ("call" in act && proof.toolCall(act.call) === undefined)
      throw new NotProvable(`It has no tool ${act.call.tool} that its model could call.`);
  return scenarioPrompt(name, arg);
}

/** The program behind one that never tells it that its input has ended. */
function deafProgram(folder: string, command: string): string {
  const file = join(folder, "deaf");
  const script = [
    `#!${process.execPath}`,
    `const child = require("node:child_process").spawn(${JSON.stringify(command)}, process.argv.slice(2), { stdio: ["pipe", "inherit", "inherit"] });`,
    `process.stdin.pipe(child.stdin, { end: false });`,
    `child.on("exit", (code) => process.exit(code ?? 1));`,
    `setInterval(() => {}, 1e6);`,
  ];
  writeFileSync(file, script.join("\n"));
  chmodSync(file, 0o755);
  return file;
}
