/**
 * The plugin that holds every tool. OpenCode waits for the hook `tool.execute.before` of its plugins before each call,
 * including those of subagents, and does not run the call when the hook throws. This plugin asks Reins over stdout and
 * stdin, which the server does not use otherwise.
 */

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

export interface HoldReply {
  readonly decision: "allow" | "deny";
  readonly message?: string | undefined;
  /** Run the call with this input instead. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

interface Hooks {
  readonly "tool.execute.before": (call: Call, output: { args: Record<string, unknown> }) => Promise<void>;
}

/** The parts of `process` that the plugin uses. */
export interface PluginProcess {
  readonly env: Record<string, string | undefined>;
  readonly stdin: {
    setEncoding(encoding: "utf8"): void;
    on(event: "data", listener: (text: string) => void): void;
    on(event: "end", listener: () => void): void;
  };
  readonly stdout: { write(text: string): void };
  exit(code: number): void;
}

/** Runs inside OpenCode from its source text alone, so it must not use anything outside itself. */
export function holdTools(own: PluginProcess, hidden: readonly string[]): Hooks {
  const waiting = new Map<string, (reply: HoldReply) => void>();
  let count = 0;
  let rest = "";
  const say = (message: object): void => own.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  // The server's secrets must not reach the programs that its tools start.
  for (const name of hidden) delete own.env[name];
  own.stdin.setEncoding("utf8");
  own.stdin.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { id, result } = JSON.parse(line) as { id?: unknown; result?: HoldReply };
      waiting.get(String(id))?.(result ?? { decision: "deny" });
      waiting.delete(String(id));
    }
  });
  // The Reins process closed the input, or died.
  own.stdin.on("end", () => own.exit(0));
  say({ method: "reins/ready" });
  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const id = `hold-${++count}`;
      const reply = await new Promise<HoldReply>((resolve) => {
        waiting.set(id, resolve);
        say({ id, method: "reins/hold", params: { tool, sessionID, callID, input: output.args } });
      });
      if (reply.decision !== "allow") throw new Error(reply.message ?? "It was not allowed.");
      if (reply.input === undefined) return;
      // OpenCode runs the same object, so it is changed in place.
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, reply.input);
    },
  };
}

/** The text of the file that OpenCode loads, possibly once per folder; stdin is read once. */
export function pluginText(hidden: readonly string[]): string {
  return [
    `const holdTools = ${holdTools.toString()};`,
    `let hooks;`,
    `export const ReinsHold = async () => (hooks ??= holdTools(process, ${JSON.stringify(hidden)}));`,
    "",
  ].join("\n");
}
