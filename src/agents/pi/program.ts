import type { Program } from "../shared/program.ts";

export const program: Program = {
  id: "pi",
  name: "pi",
  command: "pi",
  package: "@earendil-works/pi-coding-agent",
  installHelp: "Install it with `npm install -g @earendil-works/pi-coding-agent`.",
  updateHelp: "Update it with `pi update` or `npm install -g @earendil-works/pi-coding-agent`.",
  // The first that can take back what was sent and has not begun (`clear_queue`).
  minimalVersion: "0.84.4",
};
