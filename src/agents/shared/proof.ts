import type { Tool } from "../../events/tools.ts";

/** How to point this agent at a scripted model, for tests and `doctor --prove`. */
export interface Proof {
  /** The npm package and version the tests are pinned to; none where the agent is a part of Reins. */
  readonly install?: { readonly package: string; readonly version: string; readonly bin: string };
  /** Where there is no package: the version that the tests run with. */
  readonly version?: string;
  /** The protocol of its requests to the model. */
  readonly speaks: "anthropic" | "openai-responses" | "openai-chat" | "gemini";
  /** Variables that point the agent at the scripted model and turn telemetry off; all made up. */
  env(modelUrl: string): Record<string, string>;
  /** Files that do the same, by path from HOME, for agents that read no variable. */
  files?(modelUrl: string): Record<string, string>;
  /**
   * Where its program keeps a conversation, by path from HOME, for agents that look for it before they go on with one: a replay, which
   * has no program, puts an empty object there.
   */
  keeps?(conversation: string): string;
  /** Instead of `env`: an account with a plan, for agents that report limits only then. */
  planEnv?(modelUrl: string): Record<string, string>;
  /** Two models to change between, where it cannot list them offline. */
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
  /** Response headers for a plan's allowance, where this agent reads others than the usual ones. */
  limitHeaders?(limit: ProofLimit): Record<string, string>;
}

/** A tool call on the wire. */
export interface SpelledToolCall {
  readonly name: string;
  /** A text for a freeform tool. */
  readonly input: unknown;
  readonly namespace?: string;
  /** No call: the model says this text, and the agent finds the call in it. */
  readonly say?: string;
}

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
