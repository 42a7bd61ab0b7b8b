/** Qwen Code: who it is and what it can do. */
import type { Capabilities } from "../../events/capabilities.ts";
import { ReinsError } from "../../events/errors.ts";
import { modes } from "../../events/modes.ts";
import { kinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import { findCommand } from "../../process/index.ts";
import type { Agent, AgentContext } from "../contract.ts";
import { commandOf } from "./command.ts";
import { management } from "./manage.ts";
import { openSession } from "./open.ts";
import { removeAbandonedFiles } from "./private-files.ts";
import { installHelp, probe } from "./probe.ts";
import { proof } from "./proof.ts";

const capabilities: Capabilities = {
  deltas: true,
  thinking: true,
  resume: true,
  fork: true,
  history: false,
  // What is sent while it works is worked off after it.
  steer: false,
  cancelKeepsProcess: true,
  modes,
  changeModel: true,
  changeMode: true,
  images: true,
  files: true,
  systemPrompt: ["append", "replace"],
  toolFilter: true,
  firstPromptTools: false,
  mcpServers: true,
  directories: true,
  maxTurns: true,
  budget: false,
  questions: true,
  // Driven by a program, it has no tool to put a plan up for approval: the plan is its answer.
  planApproval: false,
  subagents: true,
  // The turn waits for subagents in the background; commands in the background are not told of again.
  backgroundTasks: false,
  changedInput: true,
  allowAlways: true,
  afterDeny: "continues",
  hold: Object.fromEntries(kinds.map((kind) => [kind, "every"])) as Record<ToolKind, "every">,
  toolsReported: "all",
  usage: "turn",
  cost: false,
  limits: false,
};

export function createAgent(context: AgentContext): Agent {
  return {
    id: "qwen",
    name: "Qwen Code",
    capabilities,
    probe: () => probe(context),
    async open(options) {
      const command = commandOf(context.env);
      if ((await findCommand(command.path, context.env)) === undefined) {
        throw new ReinsError("not_installed", `Qwen Code was not found (${command.path}).`, {
          agent: "qwen",
          help: installHelp,
        });
      }
      return openSession(context, options, command);
    },
    recover: () => removeAbandonedFiles(),
    manage: management(context),
    proof,
  };
}
