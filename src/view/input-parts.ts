/** Splits a permission request into its subject (command, plan or diff) and the input fields that the subject does not show. */
import type { PermissionItem } from "./model.ts";

type Asked = Pick<PermissionItem, "input" | "tool"> & Partial<Pick<PermissionItem, "diff">>;

export interface InputParts {
  readonly subject: "diff" | "plan" | "command" | "fields";
  /** Empty when the subject already shows all fields. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export function inputParts({ diff, input, tool }: Asked): InputParts {
  const fields = typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  const without = (isShown: (name: string, value: unknown) => boolean): InputParts["rest"] =>
    Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isShown(name, value)));
  if (diff !== undefined && diff !== "") {
    const lines = new Set(diff.split("\n").map((line) => line.slice(1)));
    const isIn = (value: unknown): boolean =>
      typeof value === "string" && value.split("\n").every((line) => line === "" || lines.has(line));
    return { subject: "diff", rest: without((_, value) => isIn(value)) };
  }
  const { plan, command } = fields as { readonly plan?: unknown; readonly command?: unknown };
  if (tool === "plan" && typeof plan === "string") return { subject: "plan", rest: without((name) => name === "plan") };
  const isCommand =
    typeof command === "string" ||
    (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string"));
  if (isCommand) return { subject: "command", rest: without((name) => name === "command") };
  return { subject: "fields", rest: {} };
}
