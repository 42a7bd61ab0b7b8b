/** How tests and `doctor --prove` point an agent at a scripted model. */
import type { Tool } from "../../events/tools.ts";

/** How to point this agent at a scripted model, for tests and `doctor --prove`. */
export interface Proof {
  /** The npm package and version the tests are pinned to; none where the agent is a part of Reins. */
  readonly install?: { readonly package: string; readonly version: string; readonly bin: string };
  /** Of such a part: the version that the tests run with, where its probe tells one. */
  readonly version?: string;
  /** Over which wire it asks its model. */
  readonly speaks: "anthropic" | "openai-responses" | "openai-chat" | "gemini";
  /** The variables that lead the agent to the scripted model and keep it quiet; all made up. */
  env(modelUrl: string): Record<string, string>;
  /** Files of its home that lead it there, by path from HOME, for agents that read no variable; all made up. */
  files?(modelUrl: string): Record<string, string>;
  /**
   * Where its program keeps a conversation, by path from HOME, for agents that look for it before they go on with one: a replay, which
   * has no program, puts an empty object there.
   */
  keeps?(conversation: string): string;
  /** Instead of `env`, an account with a plan, for agents that tell about limits only then. */
  planEnv?(modelUrl: string): Record<string, string>;
  /** Two models to change between, where its own list cannot be asked for offline. */
  readonly models?: readonly [string, string];
  /** A prompt that makes it compact its context. */
  readonly compactPrompt?: string;
  /** A canonical tool call as this agent's model would make it. */
  toolCall(call: ProofToolCall): SpelledToolCall | undefined;
  /**
   * Words that give away requests it makes for itself, such as one for a memory: in the instructions, or in what the model
   * was told last. A scenario is not for those.
   */
  readonly asides?: readonly string[];
  /** What a plan's allowance looks like in a model's headers, where this agent reads others than the wire's usual ones. */
  limitHeaders?(limit: ProofLimit): Record<string, string>;
}

/** A tool call on the wire. */
export interface SpelledToolCall {
  readonly name: string;
  /** Text where the tool is freeform and the wire has such tools. */
  readonly input: unknown;
  /** Where the wire keeps tools in namespaces and this one stands in one. */
  readonly namespace?: string;
  /** No call at all: the model says this, and the agent finds what it means in the text. */
  readonly say?: string;
}

/** A plan's allowance, as a scenario says it. */
export interface ProofLimit {
  readonly status: "ok" | "warning" | "reached";
  readonly window: "five_hour" | "seven_day";
  readonly usedPercent: number;
  readonly resetsInSeconds: number;
}

/** A tool call of a scenario, by canonical tool, with absolute paths. */
export interface ProofToolCall {
  readonly tool: Tool;
  readonly path?: string;
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
  readonly command?: string;
  readonly prompt?: string;
  readonly background?: boolean;
  readonly question?: string;
  readonly choices?: readonly string[];
  readonly plan?: string;
  readonly server?: string;
  readonly name?: string;
  readonly input?: unknown;
}
