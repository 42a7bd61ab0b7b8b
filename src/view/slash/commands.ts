/** The slash commands of Reins: the table, the parser and completion. */
import { closest } from "../../events/closest.ts";
import { oneLine } from "../../events/printable.ts";

export type SlashGroup = "agent" | "session" | "work" | "screen";

/** The interface in which a person types the command. */
export type SlashPlace = "terminal" | "page";

export interface SlashCommand {
  /** Without the slash. */
  readonly name: SlashName;
  /** Arguments shown after the name, such as `<id>`; empty when there are none. */
  readonly hint: string;
  readonly description: string;
  readonly group: SlashGroup;
  readonly where: readonly SlashPlace[];
}

export type SlashName = (typeof rows)[number][0];

const both = ["terminal", "page"] as const;
const terminal = ["terminal"] as const;

const rows = [
  ["login", "[token]", "Log in to the active agent", "agent", both],
  ["logout", "", "Log out of the active agent", "agent", both],
  ["status", "", "Show agent status, auth, and config", "agent", both],
  ["models", "", "List available models", "agent", both],
  ["model", "<id>", "Switch model (e.g. /model sonnet-4.5)", "agent", both],
  ["mcp", "[enable|disable|login <name>]", "List and manage MCP servers", "agent", both],
  ["agent", "<id>", "Switch active agent (e.g. /agent cursor)", "agent", both],
  ["mode", "[read|plan|ask|edits|full]", "Show or switch what the agent may do without asking", "agent", both],
  ["cloud", "[prompt]", "List cloud agents, or send a prompt to one", "agent", both],
  ["sessions", "", "List and search sessions of all agents", "session", both],
  ["resume", "[session]", "Resume a session (without an id: the last one in this folder)", "session", both],
  ["fork", "", "Continue this conversation in a copy", "session", both],
  ["handoff", "<agent>", "Let another agent continue this session", "session", both],
  ["compare", "[prompt]", "Send one prompt to several agents, or list comparisons", "session", both],
  ["clear", "", "Start a new conversation", "session", both],
  ["diff", "", "Show the files this session changed", "work", both],
  ["usage", "", "Show tokens, cost and limits with reset times", "work", both],
  ["policy", "", "Show the permission rules of this folder", "work", both],
  ["export", "[md|html|jsonl] [file]", "Export this conversation", "work", both],
  ["settings", "", "Theme, keys and screen; sign out and update", "screen", terminal],
  ["inline", "", "Switch to the inline screen", "screen", terminal],
  ["full", "", "Switch to the full screen", "screen", terminal],
  ["help", "[command]", "Show all commands and keys", "screen", both],
  ["quit", "", "Quit Reins", "screen", terminal],
] as const satisfies readonly (readonly [string, string, string, SlashGroup, readonly SlashPlace[]])[];

export const slashCommands: readonly SlashCommand[] = rows.map(([name, hint, description, group, where]) => ({
  name,
  hint,
  description,
  group,
  where,
}));

/** A command that the agent offers (`session.updated`). */
export interface OwnCommand {
  readonly name: string;
  readonly description?: string | undefined;
}

export type ParsedSlash =
  | { readonly kind: "command"; readonly command: SlashCommand; readonly args: string }
  /** A command of the agent: `text` is sent to it. */
  | { readonly kind: "agent"; readonly name: string; readonly text: string }
  | { readonly kind: "unknown"; readonly unknown: string; readonly suggestion: string | undefined };

export interface SlashOptions {
  /** Commands that the agent offers. */
  readonly own?: readonly OwnCommand[] | undefined;
  /** Offer only the commands of this place. Default: all. */
  readonly where?: SlashPlace | undefined;
}

/** `//name` runs the agent's command when Reins has one of the same name. A further slash means a path. */
const written = /^(?<slashes>\/\/?)(?<name>[A-Za-z][\w:.-]*)(?:\s+(?<args>[\s\S]*))?$/;

/** Parses a slash command. Undefined for plain text, a path such as /usr/bin, and text that begins with `\/`. */
export function parseSlash(text: string, { own = [], where }: SlashOptions = {}): ParsedSlash | undefined {
  const { slashes, name, args = "" } = written.exec(text.trimEnd())?.groups ?? {};
  if (slashes === undefined || name === undefined) return undefined;
  const offered = own.find((command) => ownName(command) === name);
  if (slashes === "//") {
    return offered === undefined ? undefined : { kind: "agent", name, text: text.slice(1) };
  }
  // Commands of the other interface are parsed too: running one says what to do instead.
  const command = slashCommands.find((one) => one.name === name.toLowerCase());
  if (command !== undefined) return { kind: "command", command, args: args.trim() };
  if (offered !== undefined) return { kind: "agent", name, text };
  // A name with a dot is a file in the root folder.
  if (name.includes(".")) return undefined;
  const known = [...commandsIn(where).map((one) => one.name), ...own.map(ownName)];
  return { kind: "unknown", unknown: name, suggestion: closest(name, known) };
}

/** The text to send for a prompt that is no command: a leading `\/` becomes a slash. */
export function withoutEscapedSlash(text: string): string {
  return text.startsWith("\\/") ? text.slice(1) : text;
}

export interface SlashCompletion {
  /** The text to type, with its slash or slashes. */
  readonly text: string;
  readonly name: string;
  readonly hint: string;
  readonly description: string;
  /** Reins runs its own commands; the others are sent to the agent. */
  readonly whose: "reins" | "agent";
}

/**
 * Commands that match a query (with or without its slash), best first: exact name, prefix, substring, letters in order, and description.
 * An empty query matches all.
 */
export function completeSlash(query: string, { own = [], where }: SlashOptions = {}): readonly SlashCompletion[] {
  const [, slashes = "", typed = ""] = /^(\/*)(.*)$/s.exec(query) ?? [];
  const onlyOwn = slashes.length > 1;
  const ours = commandsIn(where).map(({ name, hint, description }): SlashCompletion => ({
    text: `/${name}`,
    name,
    hint,
    description,
    whose: "reins",
  }));
  const all = [...(onlyOwn ? [] : ours), ...own.map((command) => ownCompletion(command, onlyOwn))];
  const wanted = typed.toLowerCase();
  return all
    .map((item) => ({ item, rank: rankOf(item, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function ownCompletion(command: OwnCommand, twoSlashes: boolean): SlashCompletion {
  const name = ownName(command);
  const taken = slashCommands.some((ours) => ours.name === name.toLowerCase());
  const said = oneLine(command.description ?? "");
  const note = taken ? `The agent's own /${name}; /${name} is the command of Reins` : "";
  return {
    text: taken || twoSlashes ? `//${name}` : `/${name}`,
    name,
    hint: "",
    description: [said, said === "" ? note : note && `(${note})`].filter((part) => part !== "").join(" "),
    whose: "agent",
  };
}

/** Some agents list their commands with the slash. */
function ownName({ name }: OwnCommand): string {
  return oneLine(name).replace(/^\/+/, "");
}

const noMatch = 5;

function rankOf({ name, description }: SlashCompletion, wanted: string): number {
  const candidate = name.toLowerCase();
  if (candidate === wanted) return 0;
  if (candidate.startsWith(wanted)) return 1;
  if (candidate.includes(wanted)) return 2;
  if (hasLetters(candidate, wanted)) return 3;
  return wanted.length > 2 && description.toLowerCase().includes(wanted) ? 4 : noMatch;
}

function hasLetters(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

function commandsIn(where: SlashPlace | undefined): readonly SlashCommand[] {
  return where === undefined ? slashCommands : slashCommands.filter((command) => command.where.includes(where));
}
