/**
 * The extension that holds every tool. pi has no rules of its own, but it waits for a handler of `tool_call` before
 * each call, and blocks the call when the handler says so, throws, or breaks. This extension asks Reins over the pipe,
 * as a dialog with a secret title.
 */

interface Call {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: Record<string, unknown>;
}

interface Context {
  readonly signal?: AbortSignal | undefined;
  readonly ui: {
    notify(message: string): void;
    input(
      title: string,
      placeholder: string,
      options: { signal?: AbortSignal | undefined },
    ): Promise<string | undefined>;
  };
}

export interface ExtensionApi {
  on(event: "session_start", handler: (event: unknown, context: Context) => void): void;
  on(
    event: "tool_call",
    handler: (event: Call, context: Context) => Promise<{ block: true; reason: string } | undefined>,
  ): void;
  getActiveTools(): string[];
  setActiveTools(names: string[]): void;
}

export interface HoldReply {
  readonly decision: "allow" | "deny";
  readonly reason?: string | undefined;
  /** Replaces the given input. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** No other extension may change the input. */
  readonly fixed?: boolean | undefined;
}

export interface HoldOptions {
  /** The title of this extension's dialogs, which no other extension knows. */
  readonly title: string;
  /** Tools to switch on in addition to the active ones. */
  readonly tools: readonly string[];
}

/** Runs inside pi from its source text alone, so it must not use anything outside itself. */
export function holdTools(pi: ExtensionApi, { title, tools }: HoldOptions): void {
  const freeze = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const part of Object.values(value)) freeze(part);
    Object.freeze(value);
  };
  pi.on("session_start", (_event, context) => {
    const active = pi.getActiveTools();
    const missing = tools.filter((name) => !active.includes(name));
    if (missing.length > 0) pi.setActiveTools([...active, ...missing]);
    context.ui.notify(JSON.stringify({ title, tools: pi.getActiveTools() }));
  });
  pi.on("tool_call", async ({ toolName, toolCallId, input }, { ui, signal }) => {
    const said = await ui.input(title, JSON.stringify({ toolName, toolCallId, input }), { signal });
    if (said === undefined) return { block: true, reason: "Nobody allowed it." };
    const reply = JSON.parse(said) as HoldReply;
    if (reply.decision !== "allow") return { block: true, reason: reply.reason ?? "It was not allowed." };
    if (reply.input !== undefined) {
      for (const name of Object.keys(input)) delete input[name];
      Object.assign(input, reply.input);
    }
    // The user's own extensions run after this one and could change what was decided on. Changing the frozen input fails, and that blocks
    // the call.
    if (reply.fixed === true) freeze(input);
    return undefined;
  });
}

export function extensionText(options: HoldOptions): string {
  return `const holdTools = ${holdTools.toString()};\nexport default (pi) => holdTools(pi, ${JSON.stringify(options)});\n`;
}
