import type { MCPTransport } from "@ai-sdk/mcp";
import { ReinsError } from "../../events/errors.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, McpServer, OpenOptions } from "../contract.ts";
import { shellEnvironment } from "./shell-environment.ts";

type CommandServer = Extract<McpServer, { command: string }>;
type Message = Parameters<MCPTransport["send"]>[0];

export interface ChildTransport extends MCPTransport {
  /** The last it said on stderr. */
  complaint(): string;
}

/** A server over stdio, started like every other process of Reins: in the ledger, in a group of its own, gone with the session. */
export function childTransport(
  context: AgentContext,
  options: OpenOptions,
  { command, args = [], env = {} }: CommandServer,
): ChildTransport {
  let child: Child | undefined;
  const transport: ChildTransport = {
    complaint: () => child?.stderrTail().trim().slice(-500) ?? "",
    start: async () => {
      child = await context.processes.launch({
        command,
        args,
        cwd: options.cwd,
        env: { ...shellEnvironment({ context, options }), ...env },
        agent: "native",
        sessionId: options.sessionId,
        stdin: "pipe",
      });
      void read(child, transport);
    },
    send: async (message) => {
      if (child === undefined) throw new ReinsError("protocol_error", "The server was not started.");
      await child.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      await child?.stop({ politely: true });
    },
  };
  return transport;
}

async function read(child: Child, transport: MCPTransport): Promise<void> {
  for await (const { lines } of child.lines) {
    for (const line of lines) {
      const message = parsed(line);
      if (message !== undefined) transport.onmessage?.(message);
    }
  }
  transport.onclose?.();
}

/** What is no message is something the server prints for itself. */
function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
