/** The interface with a pinned real agent and a scripted model. */
import { onTestFinished } from "vitest";
import { bin } from "../../support/command.ts";
import { openPty, type PtyOptions } from "../../support/pty.ts";
import { realAgent, type RealAgent, type RealAgentOptions } from "../../real/support/real-agent.ts";
import { withHands, type Interface } from "./interface.ts";

export interface AgentPlace extends RealAgent {
  open(args?: readonly string[], options?: PtyOptions): Promise<Interface>;
}

export async function agentPlace(id: string, options: RealAgentOptions = {}): Promise<AgentPlace> {
  const real = await realAgent(id, options);
  return {
    ...real,
    async open(args = [], pty = {}) {
      const terminal = openPty([process.execPath, bin, "-a", id, ...args], {
        cwd: real.cwd,
        ...pty,
        env: { ...real.env, ...pty.env, TERM: "xterm-256color" },
      });
      onTestFinished(() => terminal[Symbol.asyncDispose]());
      await terminal.waitFor(() => terminal.output().includes("\x1b[?2004h"), "the interface");
      return withHands(terminal);
    },
  };
}
