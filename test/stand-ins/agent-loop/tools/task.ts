/** A subagent: the same loop with a separate conversation. */
import { textOf } from "../fields.ts";
import { runLoop, type LoopOptions, type LoopResult } from "../loop.ts";
import type { LoopTool } from "../types.ts";

export interface Subagent {
  readonly id: string;
  readonly description: string;
  readonly ended: Promise<LoopResult>;
}

export interface Tasks {
  readonly tool: LoopTool;
  /** Background subagents, oldest first. */
  readonly background: Subagent[];
}

/** `optionsOf` returns the options of the subagent's loop, without its conversation. */
export function tasks(optionsOf: (id: string) => Omit<LoopOptions, "messages" | "conversation">): Tasks {
  const background: Subagent[] = [];
  const tool: LoopTool = {
    name: "task",
    description: "Hand a part of the work to a subagent.",
    required: ["description", "prompt"],
    optional: ["background", "subagent_type"],
    async run(input, { call }) {
      const messages: LoopOptions["messages"] = [{ role: "user", content: textOf(input["prompt"]) }];
      const ended = runLoop({ ...optionsOf(call.id), messages, conversation: call.id });
      if (input["background"] === true) {
        ended.catch(() => undefined);
        background.push({ id: call.id, description: textOf(input["description"]), ended });
        return { ok: true, text: "The subagent works in the background.", facts: { agentId: call.id } };
      }
      const { texts } = await ended;
      return { ok: true, text: texts.at(-1) ?? "", facts: { agentId: call.id, messages } };
    },
  };
  return { tool, background };
}
