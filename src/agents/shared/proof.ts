import type { Tool } from "../../events/tools.ts";

/** How to point an agent at a scripted model, for tests and `doctor --prove`. */
export interface Proof {
  /** The npm package and version that the tests are pinned to; undefined for an agent that is part of Reins. */
  readonly install?: { readonly package: string; readonly version: string; readonly bin: string };
  /** Without a package: the version that the tests run with. */
  readonly version?: string;
  /** The protocol of the agent's requests to its model. */
  readonly speaks: "anthropic" | "openai-responses" | "openai-chat" | "gemini";
  /** Environment variables that point the agent at the scripted model and turn telemetry off. All values are made up. */
  env(modelUrl: string): Record<string, string>;
  /** For agents that read no variables: files with the same effect, by path relative to HOME. */
  files?(modelUrl: string): Record<string, string>;
  /**
   * For agents that check for the stored conversation before they resume it: its path relative to HOME. A replay runs
   * no program, so it puts an empty object there.
   */
  keeps?(conversation: string): string;
  /** Variables in place of `env` that sign in to a plan, for agents that report limits only then. */
  planEnv?(modelUrl: string): Record<string, string>;
  /** Two models to switch between, when the agent cannot list models offline. */
  readonly models?: readonly [string, string];
  /** A prompt that makes the agent compact its context. */
  readonly compactPrompt?: string;
  /** A canonical tool call as this agent's model would make it. */
  toolCall(call: ProofToolCall): SpelledToolCall | undefined;
  /**
   * Words that identify requests the agent makes for its own purposes, such as memory, in the instructions or the last
   * message. The scripted model answers these outside the scenario.
   */
  readonly asides?: readonly string[];
  /** Response headers for a plan's allowance, when this agent reads other ones than usual. */
  limitHeaders?(limit: ProofLimit): Record<string, string>;
}

/** A tool call on the wire. */
export interface SpelledToolCall {
  readonly name: string;
  /** A string for a freeform tool. */
  readonly input: unknown;
  readonly namespace?: string;
  /** Instead of a call, the model says this text, and the agent finds the call in it. */
  readonly say?: string;
}

/** The state of a plan's allowance that the scripted model reports. */
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
