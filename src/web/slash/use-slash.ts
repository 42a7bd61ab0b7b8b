/** Slash commands in the prompt of the page. What runs them is loaded with the first one. */
import type { Mode } from "../../events/modes.ts";
import { parseSlash, withoutEscapedSlash, type OwnCommand } from "../../view/slash/commands.ts";
import { box, part, said } from "../../view/slash/box.ts";
import { toastError } from "../state/messages.ts";
import { showBoxes } from "./boxes.ts";

/** The prompt that a command is typed into, and what it can change there. */
export interface SlashHost {
  /** Where answers are shown: the id of a session, or `new`. */
  readonly place: string;
  /** How many entries the conversation has. */
  readonly entries: number;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly mode: Mode | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string;
  /** The commands that the agent offers. */
  readonly own: readonly OwnCommand[] | undefined;
  readonly configure: (change: { readonly model?: string; readonly mode?: Mode }) => Promise<void>;
  readonly switchAgent: (agent: string) => Promise<void>;
  readonly showDiff: () => void;
}

/**
 * Reads a prompt that is about to be sent. Runs it where it is a command of Reins; one that nobody knows is answered and stays in the
 * field. Returns the text for the agent where it is for the agent.
 */
export function takeSlash(
  text: string,
  host: SlashHost,
): { readonly kind: "send"; readonly text: string } | { readonly kind: "ran" } | { readonly kind: "unknown" } {
  const parsed = parseSlash(text, { own: host.own, where: "page" });
  if (parsed === undefined) return { kind: "send", text: withoutEscapedSlash(text) };
  if (parsed.kind === "agent") return { kind: "send", text: parsed.text };
  if (parsed.kind === "unknown") {
    const { unknown, suggestion } = parsed;
    const next = suggestion === undefined ? "/help lists the commands." : `Did you mean /${suggestion}?`;
    const lines = [[part("✗ ", "error"), said(`There is no command /${unknown}. It was not sent. ${next}`)]];
    showBoxes(host.place, host.entries, [box(`/${unknown}`, lines)]);
    return { kind: "unknown" };
  }
  void import("./execute.ts").then(({ execute }) => execute(parsed.command, parsed.args, host)).catch(toastError);
  return { kind: "ran" };
}
