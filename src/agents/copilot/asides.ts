/** What Copilot says like a message and is none: `Info: ...` and `Error: ...`, each whole in one piece. */
import { isAbsolute } from "node:path";
import type { AcpAside } from "../../drivers/acp/index.ts";
import { failureOf } from "./errors.ts";

/** It is said after a tool was denied, and then the turn is over though the model was told nothing. */
const denied: AcpAside = {
  failure: { code: "permission_denied", message: "GitHub Copilot ended the turn because a tool was not allowed." },
};
const nothing: AcpAside = {};

export function asideOf(text: string): AcpAside | undefined {
  const [, level, said = ""] = /^(Info|Warning|Error): (.+)$/s.exec(text) ?? [];
  if (level === "Error") return errorOf(said);
  return level === undefined ? undefined : infoOf(level === "Info" ? "info" : "warning", said.trim());
}

/** A model may begin a message with the same word: only what nothing follows is Copilot's own. */
function errorOf(said: string): AcpAside {
  // The model answered, with nothing.
  if (said.startsWith("No response was returned")) return { onlyLast: true };
  return { onlyLast: true, failure: failureOf(said) };
}

function infoOf(level: "info" | "warning", said: string): AcpAside {
  if (said === "Operation cancelled by user") return denied;
  // The file that it wrote, and what our own arguments took away.
  if (isAbsolute(said) || said.startsWith("Disabled tools: ")) return nothing;
  if (said.endsWith("Retrying...")) {
    const code = said.startsWith("Response was interrupted") ? "network" : "overloaded";
    return { discards: true, retrying: { code, message: said } };
  }
  return { events: [{ type: "notice", level, code: "agent", message: said }] };
}
