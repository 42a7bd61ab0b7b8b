/** The words of the loop that stand-ins run on: a model asked over Chat Completions, and tools that truly do something. */

export type Fields = Readonly<Record<string, unknown>>;

export type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly ChatPart[] | null;
  readonly tool_calls?: readonly SpelledCall[];
  readonly tool_call_id?: string;
}

/** A call as it stands in a conversation. */
export interface SpelledCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface LoopCall {
  readonly id: string;
  readonly name: string;
  /** Empty where it was no JSON. */
  readonly input: Fields;
}

export interface ToolResult {
  readonly ok: boolean;
  /** What the model is told. */
  readonly text: string;
  /** What a stand-in may want for its wire: exit codes, texts before and after. */
  readonly facts?: Fields | undefined;
}

export interface ToolPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly call: LoopCall;
}

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  /** Names of the inputs that must be there, and of those that may. */
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  run(input: Fields, place: ToolPlace): Promise<ToolResult>;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** One answer of the model. */
export interface Answer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly SpelledCall[];
  readonly finish: string;
  readonly usage: Usage;
}
