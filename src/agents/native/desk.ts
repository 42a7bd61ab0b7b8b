import type { Mode } from "../../events/modes.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import type { TurnDesk } from "../shared/in-process-turn.ts";
import type { Background } from "./background.ts";
import type { ChosenModel, Environment } from "./endpoints.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import type { Transcript } from "./transcript.ts";
import type { Turn } from "./turn.ts";
import type { Usage } from "./usage.ts";

/** What all turns of a session share. */
export interface Desk extends TurnDesk {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  /** Of Reins, and what the session adds to it. */
  readonly env: Environment;
  /** What models and web pages are asked with. */
  readonly fetch: typeof fetch;
  readonly transcript: Transcript;
  readonly usage: Usage;
  readonly background: Background;
  /** All there are, those of MCP servers too. */
  readonly tools: readonly ToolDefinition[];
  /** What the model is offered of them. Handed over, because a tool may be a conversation with tools of its own. */
  readonly toolsFor: (turn: Turn) => readonly ToolDefinition[];
  /** What somebody allowed for the rest of the session. */
  readonly allowedAlways: Set<string>;
  /** What the service could not take as it was, as far as it was said. */
  readonly divergences: Set<string>;
  mode: Mode;
  model: ChosenModel;
}
