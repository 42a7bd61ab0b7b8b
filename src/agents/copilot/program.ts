import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "copilot",
  name: "GitHub Copilot",
  command: "copilot",
  package: "@github/copilot",
  installHelp: "Install it with `npm install -g @github/copilot`.",
  updateHelp: "Update it with `copilot update` or `npm install -g @github/copilot`.",
};

export const signInHelp =
  "Run `copilot login`, or set COPILOT_GITHUB_TOKEN, or a model service of your own (COPILOT_PROVIDER_BASE_URL).";
