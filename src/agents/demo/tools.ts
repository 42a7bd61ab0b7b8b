/** The demo agent's own tools: their names, what they are in the canonical vocabulary, and what goes into them. */
import type { CanonicalInput, Tool } from "../../events/tools.ts";

export interface Inputs {
  list: Record<string, never>;
  read: { path: string };
  write: { path: string; text: string };
  edit: { path: string; from: string; to: string };
  run: { command: string };
  big: { bytes: number };
  plan: { plan: string };
  subagent: { prompt: string };
  background: { ms: number };
}

export type ToolName = keyof Inputs;

export const canonicalTools = {
  list: "list",
  read: "read",
  write: "write",
  edit: "edit",
  run: "shell",
  big: "other",
  plan: "plan",
  subagent: "task",
  background: "task",
} as const satisfies Record<ToolName, Tool>;

/** What every input must have, to know a changed one when it comes back. */
const fields: { readonly [Name in ToolName]: readonly (keyof Inputs[Name] & string)[] } = {
  list: [],
  read: ["path"],
  write: ["path", "text"],
  edit: ["path", "from", "to"],
  run: ["command"],
  big: ["bytes"],
  plan: ["plan"],
  subagent: ["prompt"],
  background: ["ms"],
};

export function isInputOf<Name extends ToolName>(name: Name, input: unknown): input is Inputs[Name] {
  if (typeof input !== "object" || input === null) return false;
  const values = input as Record<string, unknown>;
  return fields[name].every(
    (field) => typeof values[field] === (field === "bytes" || field === "ms" ? "number" : "string"),
  );
}

/** The few fields that titles understand. */
export function canonicalInput<Name extends ToolName>(name: Name, input: Inputs[Name]): CanonicalInput {
  const values = input as Record<string, unknown>;
  const text = (field: string): string | undefined => (typeof values[field] === "string" ? values[field] : undefined);
  switch (name) {
    case "list":
      return { path: "." };
    case "read":
    case "write":
    case "edit":
      return { path: text("path") };
    case "run":
      return { command: text("command") };
    case "subagent":
      return { description: text("prompt") };
    case "background":
      return { description: `Wait ${String(values["ms"])} ms in the background` };
    case "big":
      return { name, description: `${String(values["bytes"])} bytes of output` };
    default:
      return {};
  }
}
