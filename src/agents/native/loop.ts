/** The agent loop: the model answers, its calls run, and so on until it makes no more calls. */
import type { ModelMessage } from "ai";
import { chooseModel } from "./endpoints.ts";
import { instructionsFor } from "./instructions.ts";
import { askModel, type ModelAnswer, type ModelRequest } from "./model-call.ts";
import { toolMessage } from "./transcript.ts";
import type { Turn } from "./turn.ts";
import { reading } from "./usage.ts";
import { useTool } from "./use-tool.ts";
import { EndTurn } from "../shared/in-process/stop-turn.ts";
import { errorInfo, ReinsError } from "../../events/errors.ts";
import type { Outcome } from "../../events/types.ts";

interface Memory {
  readonly messages: readonly ModelMessage[];
  add(...messages: readonly ModelMessage[]): Promise<void>;
}

export interface LoopOptions {
  /** Called before each request: may add messages or compact. */
  readonly between?: () => Promise<void>;
  /** Called when the model made no more calls. Returns true when there are new messages for it. */
  readonly goOn?: () => boolean;
  readonly answered: (answer: ModelAnswer) => Promise<void> | void;
  /** Called when the conversation does not fit. Returns true when it was made shorter. */
  readonly tooLong?: () => Promise<boolean>;
}

/** Returns the last text. Throws `EndTurn` when the turn ends early, and a `ReinsError` when a request failed. */
export async function converse(turn: Turn, memory: Memory, options: LoopOptions): Promise<string> {
  const { maxTurns = Infinity } = turn.context.options;
  for (let round = 1; ; round++) {
    if (round > maxTurns) throw new EndTurn("max_turns");
    await options.between?.();
    const request = await requestNow(turn, memory);
    const answer = await ask(turn, memory, request, options);
    if (answer === undefined) continue;
    await memory.add(...answer.messages);
    await options.answered(answer);
    for (const call of answer.calls) {
      const { text, failed } = await useTool(turn, request.tools, call);
      await memory.add(toolMessage(call, text, failed));
    }
    if (answer.calls.length > 0) continue;
    endBadly(answer);
    if (options.goOn?.() !== true) return answer.text;
  }
}

export async function requestNow(turn: Turn, memory: Pick<Memory, "messages">): Promise<ModelRequest> {
  const { options, mode, model, env } = turn.context;
  return {
    model,
    instructions: await instructionsFor({ options, mode, subagent: turn.parent !== undefined }),
    tools: turn.context.toolsFor(turn),
    messages: memory.messages,
    env,
  };
}

/** Undefined when the request should be made again. */
async function ask(
  turn: Turn,
  memory: Memory,
  request: ModelRequest,
  { tooLong }: LoopOptions,
): Promise<ModelAnswer | undefined> {
  try {
    return await askModel(turn, request, async (text) => {
      if (text.trim() !== "") await memory.add({ role: "assistant", content: text });
    });
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    const again =
      (code === "context_too_long" && (await tooLong?.())) || (code === "overloaded" && (await fallBack(turn)));
    if (again !== true) throw thrown;
    return undefined;
  }
}

async function fallBack(turn: Turn): Promise<boolean> {
  const { context } = turn;
  const { fallbackModel } = context.options;
  if (fallbackModel === undefined) return false;
  const model = chooseModel(fallbackModel, context.env);
  if (model.name === context.model.name) return false;
  const reason = `${context.model.name} is overloaded.`;
  context.model = model;
  await turn.emit({ type: "session.updated", model: model.name, by: "agent", reason });
  return true;
}

const bad: Readonly<Record<string, Outcome>> = { length: "max_tokens", "content-filter": "refused" };

function endBadly({ finish, text }: ModelAnswer): void {
  const outcome = bad[finish];
  if (outcome === undefined) return;
  if (outcome !== "refused") throw new EndTurn(outcome);
  const said = text.trim().split("\n", 1)[0] || "The model declined to answer.";
  const help = "Rephrase the request in a new session, or choose another model.";
  throw new EndTurn(outcome, errorInfo(new ReinsError("refused", said, { agent: "native", help })));
}

/** Runs a conversation inside a call, with its own messages. Returns its last text. */
export async function runSubagent(turn: Turn, prompt: string): Promise<string> {
  const messages: ModelMessage[] = [{ role: "user", content: prompt }];
  const memory: Memory = {
    messages,
    add: async (...more) => void messages.push(...more),
  };
  const { context } = turn;
  try {
    return (
      (await converse(turn, memory, {
        answered: ({ tokens }) => context.usage.add(reading(context.model.name, tokens)),
      })) || "It is done; there is nothing to say."
    );
  } catch (thrown) {
    // A failure fails only the call; a cancel, or a denial with `stop`, ends the turn too.
    if (thrown instanceof EndTurn && thrown.outcome !== "cancelled")
      throw new Error(thrown.error?.message ?? `The subagent ended early (${thrown.outcome}).`, { cause: thrown });
    throw thrown;
  }
}
