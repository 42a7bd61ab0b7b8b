/** The types of the loop behind the stand-ins: a model over Chat Completions, and tools that really act. */

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

export interface SpelledCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface LoopCall {
  readonly id: string;
  readonly name: string;
  /** Empty when it was not JSON. */
  readonly input: Fields;
}

export interface ToolResult {
  readonly ok: boolean;
  /** The text for the model. */
  readonly text: string;
  /** Details a stand-in may need for its wire: exit codes, the texts before and after. */
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

export interface Answer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly SpelledCall[];
  readonly finish: string;
  readonly usage: Usage;
}
