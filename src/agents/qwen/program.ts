import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "qwen",
  name: "Qwen Code",
  command: "qwen",
  package: "@qwen-code/qwen-code",
  installHelp: "Install it with `npm install -g @qwen-code/qwen-code`.",
  updateHelp: "Update it with `qwen update` or `npm install -g @qwen-code/qwen-code`.",
  // The oldest that was tried against a scripted model.
  minimalVersion: "0.24.4",
};
