import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "claude",
  name: "Claude Code",
  command: "claude",
  package: "@anthropic-ai/claude-code",
  installHelp: "Install it with `npm install -g @anthropic-ai/claude-code`.",
  updateHelp: "Update it with `claude update` or `npm install -g @anthropic-ai/claude-code`.",
  // Tried against a scripted model; 2.1.185 does not do everything this folder counts on.
  minimalVersion: "2.1.300",
};
