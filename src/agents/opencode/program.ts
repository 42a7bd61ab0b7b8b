import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "opencode",
  name: "OpenCode",
  command: "opencode",
  package: "opencode-ai",
  installHelp: "Install it with `npm install -g opencode-ai`.",
  updateHelp: "Update it with `opencode upgrade` or `npm install -g opencode-ai`.",
  // Tried against a scripted model. Its server, its plugins and its rules changed often before.
  minimalVersion: "1.18.0",
};
