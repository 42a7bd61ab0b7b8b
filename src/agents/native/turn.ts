/** A turn of this agent, and the context that all turns of a session share. */
import type { ModelMessage } from "ai";
import type { UsageCounter } from "../../protocols/usage.ts";
import { InProcessTurn, type TurnContext } from "../shared/in-process/turn.ts";
import type { ChosenModel, Environment } from "./endpoints.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import type { Transcript } from "./transcript.ts";

export interface NativeContext extends TurnContext {
  readonly env: Environment;
  readonly fetch: typeof fetch;
  readonly transcript: Transcript;
  readonly usage: UsageCounter;
  /** All tools, including those of MCP servers. */
  readonly tools: readonly ToolDefinition[];
  /** The tools that the model is offered. Passed in, because a tool may itself be a conversation with tools. */
  readonly toolsFor: (turn: Turn) => readonly ToolDefinition[];
  /** Notices about options that the service does not support; each is emitted once. */
  readonly divergences: Set<string>;
  model: ChosenModel;
}

export class Turn extends InProcessTurn<NativeContext> {
  /** Messages sent into the turn that the model has not seen yet; undefined once the turn takes no more. */
  steering: ModelMessage[] | undefined = [];
  /** The conversation was summarised because it did not fit, which happens at most once per turn. */
  madeRoom = false;
}
