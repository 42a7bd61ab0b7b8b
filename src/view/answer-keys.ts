/** The keys that answer a permission request, and which option of the request each key selects. The terminal and the page share them. */
import type { Capabilities } from "../events/capabilities.ts";
import type { PermissionOption } from "../events/types.ts";
import type { PermissionItem } from "./model.ts";

/** The fields of a permission request that decide which answers it takes. */
export interface AnswerableRequest {
  readonly options: readonly PermissionOption[];
  readonly inputChangeable?: boolean | undefined;
  readonly tool?: string | undefined;
}

type AnswerCapabilities = Pick<Capabilities, "changedInput" | "denialMessage">;

export type AnswerAction = "once" | "session" | "always" | "deny" | "message" | "edit" | "why";

export interface AnswerKey {
  readonly key: string;
  readonly action: AnswerAction;
  /** Shown on the button or in the list of keys. */
  readonly label: string;
}

/** In display order. */
export const answerKeys = [
  { key: "y", action: "once", label: "Allow once" },
  { key: "s", action: "session", label: "Allow for this session" },
  { key: "a", action: "always", label: "Always" },
  { key: "n", action: "deny", label: "Deny" },
  { key: "m", action: "message", label: "Deny with a message" },
  { key: "e", action: "edit", label: "Edit" },
  { key: "?", action: "why", label: "Why" },
] as const satisfies readonly AnswerKey[];

/** Keys answer a request only after this time, so that a letter typed for the prompt just as the request appears stays text. */
export const answersAfterMs = 300;

/** An answer key and what it does for one request. */
export type Answer =
  /** Without an option, `allow` or `deny` is sent. */
  | (AnswerKey & { readonly action: "once" | "deny"; readonly option: PermissionOption | undefined })
  | (AnswerKey & { readonly action: "session"; readonly option: PermissionOption })
  /** Opens a list of these options, the narrowest rule first. */
  | (AnswerKey & { readonly action: "always"; readonly options: readonly PermissionOption[] })
  | (AnswerKey & { readonly action: "message" | "edit" | "why" });

/** An `always` option of an agent without a scope may apply anywhere, so it sorts last. */
const reaches = ["once", "session", "project", "user", undefined] as const;

/** The `always` options, sorted from the narrowest to the widest scope. */
export function alwaysOptions(options: readonly PermissionOption[]): readonly PermissionOption[] {
  return options
    .filter(({ kind }) => kind === "allow_always")
    .toSorted((a, b) => reaches.indexOf(a.scope) - reaches.indexOf(b.scope));
}

/** Returns the answer that a key gives to a request, or undefined when the key does not apply; its answer is then not shown. */
export function answerFor(
  key: string,
  { options, inputChangeable, tool }: AnswerableRequest,
  capabilities: AnswerCapabilities | undefined,
): Answer | undefined {
  const found = answerKeys.find((one) => one.key === key);
  if (found === undefined) return undefined;
  const always = alwaysOptions(options);
  const session = always.find(({ scope }) => scope === "session");
  switch (found.action) {
    case "once":
      return { ...found, option: options.find(({ kind }) => kind === "allow_once") };
    case "session":
      return session === undefined ? undefined : { ...found, option: session };
    case "always":
      // Hide `always` when its only option is the one that `s` selects.
      return always.every((option) => option === session) ? undefined : { ...found, options: always };
    case "deny":
      return { ...found, option: options.find(({ kind }) => kind === "reject_once") };
    case "edit":
      return (inputChangeable ?? capabilities?.changedInput === true) ? found : undefined;
    case "message": {
      const reach = capabilities?.denialMessage;
      return reach === undefined || (reach === "plans" && tool === "plan") ? found : undefined;
    }
    case "why":
      return found;
  }
}

/** All answers that a request takes, in display order. */
export function answersTo(request: AnswerableRequest, capabilities: AnswerCapabilities | undefined): readonly Answer[] {
  return answerKeys.flatMap(({ key }) => answerFor(key, request, capabilities) ?? []);
}

export interface PressedKey {
  readonly key: string;
  readonly alt: boolean;
  readonly ctrl: boolean;
  /** True when the prompt has no text and no attachment. */
  readonly promptEmpty: boolean;
}

/**
 * Returns the answer that a pressed key gives to the pending request. A letter answers while the prompt is empty; Alt with the letter
 * always answers. Undefined means the key is text.
 */
export function answerPressed(
  { key, alt, ctrl, promptEmpty }: PressedKey,
  request: AnswerableRequest,
  capabilities: AnswerCapabilities | undefined,
): Answer | undefined {
  return ctrl || (!alt && !promptEmpty) ? undefined : answerFor(key, request, capabilities);
}

const hasCommand = (input: unknown): input is Readonly<Record<string, unknown>> & { readonly command: string } =>
  typeof input === "object" && input !== null && "command" in input && typeof input.command === "string";

/** The input in the form that a person edits: the bare command, or JSON. */
export function editableInput(input: unknown): string {
  return hasCommand(input) ? input.command : JSON.stringify(input ?? {}, undefined, 2);
}

/** Returns the edited input, or the reason why the text cannot be used. */
export function editedInput(
  input: unknown,
  text: string,
): { readonly input: Readonly<Record<string, unknown>> } | { readonly error: string } {
  if (hasCommand(input)) {
    return text.trim() === "" ? { error: "The command is empty." } : { input: { ...input, command: text } };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { input: value as Readonly<Record<string, unknown>> };
    return { error: "The input must be a JSON object." };
  } catch (thrown) {
    return { error: `This is not valid JSON: ${(thrown as Error).message}` };
  }
}

/** Explains in one sentence why a request asks: the agent's reason, else which rules ask before this action. */
export function whyItAsks({
  reason,
  tool,
  mcp,
}: Pick<PermissionItem, "tool"> & Partial<Pick<PermissionItem, "reason" | "mcp">>): string {
  if (reason !== undefined && reason.trim() !== "") return reason;
  if (mcp !== undefined)
    return `The session's mode or a rule requires approval for the tool ${mcp.tool} of the MCP server ${mcp.server}.`;
  if (tool === "plan") return "The agent waits for your approval before it follows this plan.";
  return `The session's mode or a rule requires approval for “${tool.replaceAll("_", " ")}” tools.`;
}
