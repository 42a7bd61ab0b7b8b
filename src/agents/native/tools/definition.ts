/** What a tool of this agent is. One file a tool stands beside this one. */
import type { JSONSchema7 } from "ai";
import type { CanonicalInput, Tool } from "../../../events/tools.ts";
import type { ToolOutput } from "../../../events/types.ts";
import type { Turn } from "../turn.ts";
import { Fields } from "./fields.ts";

/** A place a call is about. */
export interface Place {
  /** As it was asked for. */
  readonly path: string;
  /** Where that leads, links followed. */
  readonly real: string;
  readonly inside: boolean;
  /** It is hidden, or in something hidden: what is there makes other programs run. */
  readonly hidden: boolean;
}

/** What a tool came to. */
export interface Done {
  readonly text: string;
  /** How much there was, where it is more than the text. */
  readonly bytes?: number | undefined;
  readonly exitCode?: number | undefined;
}

/** What is told to a person who is asked. */
export interface Inquiry {
  readonly diff?: string | undefined;
  readonly reason?: string | undefined;
}

export interface Running {
  readonly callId: string;
  /** What somebody was asked about and allowed; without it nobody was. */
  readonly allowedPlaces: readonly Place[];
}

export interface ToolDefinition<Input = unknown> {
  readonly name: string;
  readonly tool: Tool;
  readonly description: string;
  readonly inputSchema: JSONSchema7;
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** The input, checked; throws a ToolProblem with a sentence for the model. */
  readonly check: (input: Fields) => Input;
  /** What titles need of it. */
  readonly about: (input: Input) => CanonicalInput;
  readonly places?: (turn: Turn, input: Input) => Promise<readonly Place[]>;
  readonly inquiry?: (turn: Turn, input: Input) => Promise<Inquiry>;
  /** What an `always` would allow: a key of its own, and words for it. */
  readonly rule?: (input: Input) => { readonly key: string; readonly label: string };
  readonly run: (turn: Turn, input: Input, running: Running) => Promise<Done>;
}

/** A tool whose input's type is its own business. */
export function defineTool<Input>(definition: ToolDefinition<Input>): ToolDefinition {
  return definition as ToolDefinition<unknown>;
}

export function checkedInput(definition: ToolDefinition, input: unknown): unknown {
  return definition.check(new Fields(definition.name, input));
}

export function outputOf({ text, bytes }: Done): ToolOutput {
  const kept = Buffer.byteLength(text);
  return { text, bytes: Math.max(bytes ?? kept, kept), kept };
}
