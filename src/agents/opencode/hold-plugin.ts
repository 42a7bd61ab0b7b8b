/**
 * The plugin that holds every tool. OpenCode waits for the hook `tool.execute.before` of its plugins before each call, also of a subagent's, and does not
 * run it when the hook throws. Ours asks Reins over stdout and stdin, which its server has no other use for.
 */

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

/** What it is told about a call. */
export interface HoldReply {
  readonly decision: "allow" | "deny";
  readonly message?: string | undefined;
  /** To run with instead. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

interface Hooks {
  readonly "tool.execute.before": (call: Call, output: { args: Record<string, unknown> }) => Promise<void>;
}

/** As much of a process as is used. */
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

/** It runs inside of OpenCode, from its text alone: it may use nothing from outside of itself. */
export function holdTools(own: PluginProcess, hidden: readonly string[]): Hooks {
  const waiting = new Map<string, (reply: HoldReply) => void>();
  let count = 0;
  let rest = "";
  const say = (message: object): void => own.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  // What it was started with is not for the programs that its tools start.
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
  // Whoever started it is done with it, or dead.
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
      // The same object runs, so it is changed and not replaced.
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, reply.input);
    },
  };
}

/** The file that OpenCode loads. It may load it more than once, for several folders; stdin is read once. */
export function pluginText(hidden: readonly string[]): string {
  return [
    `const holdTools = ${holdTools.toString()};`,
    `let hooks;`,
    `export const ReinsHold = async () => (hooks ??= holdTools(process, ${JSON.stringify(hidden)}));`,
    "",
  ].join("\n");
}
