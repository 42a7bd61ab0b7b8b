import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "gemini",
  name: "Gemini CLI",
  command: "gemini",
  package: "@google/gemini-cli",
  installHelp: "Install it with `npm install -g @google/gemini-cli`.",
  updateHelp: "Update it with `npm install -g @google/gemini-cli@latest`.",
};
