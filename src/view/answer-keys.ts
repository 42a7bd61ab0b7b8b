/** The keys that answer a permission request, the same in the terminal and on the page, and which option of the request each key means. */
import type { Capabilities } from "../events/capabilities.ts";
import type { PermissionOption } from "../events/types.ts";
import type { PermissionItem } from "./model.ts";

/** The parts of a request that decide about its answers. */
export interface AnswerableRequest {
  readonly options: readonly PermissionOption[];
  readonly inputChangeable?: boolean | undefined;
}

export type AnswerAction = "once" | "session" | "always" | "deny" | "message" | "edit" | "why";

export interface AnswerKey {
  readonly key: string;
  readonly action: AnswerAction;
  /** On the button or in the line of keys. */
  readonly label: string;
}

/** In the order in which they are shown. */
export const answerKeys = [
  { key: "y", action: "once", label: "Allow once" },
  { key: "s", action: "session", label: "Allow for this session" },
  { key: "a", action: "always", label: "Always" },
  { key: "n", action: "deny", label: "Deny" },
  { key: "m", action: "message", label: "Deny with a message" },
  { key: "e", action: "edit", label: "Edit" },
  { key: "?", action: "why", label: "Why" },
] as const satisfies readonly AnswerKey[];

/** A letter that was on its way to the prompt when a request appeared is text: keys answer only after this time. */
export const answersAfterMs = 300;

/** What a key means for one request. */
export type Answer =
  /** Without an option the plain word is sent: `allow` or `deny`. */
  | (AnswerKey & { readonly action: "once" | "deny"; readonly option: PermissionOption | undefined })
  | (AnswerKey & { readonly action: "session"; readonly option: PermissionOption })
  /** The list that opens, the narrowest rule first. */
  | (AnswerKey & { readonly action: "always"; readonly options: readonly PermissionOption[] })
  | (AnswerKey & { readonly action: "message" | "edit" | "why" });

/** An agent's own `always` without a scope may reach anywhere, so it comes last. */
const reaches = ["once", "session", "project", "user", undefined] as const;

/** The `always` options, narrow to wide. */
export function alwaysOptions(options: readonly PermissionOption[]): readonly PermissionOption[] {
  return options
    .filter(({ kind }) => kind === "allow_always")
    .toSorted((a, b) => reaches.indexOf(a.scope) - reaches.indexOf(b.scope));
}

/** The answer that a key gives to a request. Undefined: the key means nothing there, and its answer is not shown. */
export function answerFor(
  key: string,
  { options, inputChangeable }: AnswerableRequest,
  capabilities: Pick<Capabilities, "changedInput"> | undefined,
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
      // A list of nothing but the answer that `s` gives would be the same answer twice.
      return always.every((option) => option === session) ? undefined : { ...found, options: always };
    case "deny":
      return { ...found, option: options.find(({ kind }) => kind === "reject_once") };
    case "edit":
      return (inputChangeable ?? capabilities?.changedInput === true) ? found : undefined;
    case "message":
    case "why":
      return found;
  }
}

/** All answers that a request takes, in the order in which they are shown. */
export function answersTo(
  request: AnswerableRequest,
  capabilities: Pick<Capabilities, "changedInput"> | undefined,
): readonly Answer[] {
  return answerKeys.flatMap(({ key }) => answerFor(key, request, capabilities) ?? []);
}

export interface PressedKey {
  readonly key: string;
  readonly alt: boolean;
  /** Ctrl or Command. */
  readonly ctrl: boolean;
  /** No text is written and no file is attached in the prompt. */
  readonly promptEmpty: boolean;
}

/**
 * Whether a pressed key answers the request that waits: a letter does while the prompt is empty, and Alt with the letter always.
 * Undefined: the key is text.
 */
export function answerPressed(
  { key, alt, ctrl, promptEmpty }: PressedKey,
  request: AnswerableRequest,
  capabilities: Pick<Capabilities, "changedInput"> | undefined,
): Answer | undefined {
  return ctrl || (!alt && !promptEmpty) ? undefined : answerFor(key, request, capabilities);
}

const hasCommand = (input: unknown): input is Readonly<Record<string, unknown>> & { readonly command: string } =>
  typeof input === "object" && input !== null && "command" in input && typeof input.command === "string";

/** The input as a person edits it: the command itself, or JSON. */
export function editableInput(input: unknown): string {
  return hasCommand(input) ? input.command : JSON.stringify(input ?? {}, undefined, 2);
}

/** The input after it was edited, or the reason why the text cannot be used. */
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
    return { error: "The input has to be a JSON object." };
  } catch (thrown) {
    return { error: `This is not JSON: ${(thrown as Error).message}` };
  }
}

/** Why a request asks, in one sentence: the agent's reason, else who asks before what. */
export function whyItAsks({
  reason,
  tool,
  mcp,
}: Pick<PermissionItem, "tool"> & Partial<Pick<PermissionItem, "reason" | "mcp">>): string {
  if (reason !== undefined && reason.trim() !== "") return reason;
  if (mcp !== undefined)
    return `The mode and the rules of this session ask before the tool ${mcp.tool} of the MCP server ${mcp.server} runs.`;
  if (tool === "plan") return "The agent waits for your approval before it follows this plan.";
  return `The mode and the rules of this session ask before a tool of the kind “${tool.replaceAll("_", " ")}” runs.`;
}
