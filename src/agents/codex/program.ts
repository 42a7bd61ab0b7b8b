import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "codex",
  name: "Codex",
  command: "codex",
  package: "@openai/codex",
  installHelp: "Install it with `npm install -g @openai/codex`.",
  updateHelp: "Update it with `codex update` or `npm install -g @openai/codex`.",
};
