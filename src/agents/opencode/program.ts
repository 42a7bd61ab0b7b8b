import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "opencode",
  name: "OpenCode",
  command: "opencode",
  package: "opencode-ai",
  installHelp: "Install it with `npm install -g opencode-ai`.",
  updateHelp: "Update it with `opencode upgrade` or `npm install -g opencode-ai`.",
  // The oldest that was tried against a scripted model. Its server and its plugins changed often before.
  minimalVersion: "1.18.3",
};
