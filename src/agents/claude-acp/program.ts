import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "claude-acp",
  name: "Claude Code over ACP",
  command: "claude-agent-acp",
  package: "@agentclientprotocol/claude-agent-acp",
  installHelp: "Install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  updateHelp: "Update it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
  // What this folder tells it beside a session is understood from here on, as far as it was tried.
  minimalVersion: "0.99.0",
};

export const signInHelp = "Run `claude auth login`, or set ANTHROPIC_API_KEY.";
