/** Slash commands in the prompt of the page. The code that runs them is loaded with the first command. */
import type { Mode } from "../../events/modes.ts";
import { parseSlash, withoutEscapedSlash, type OwnCommand } from "../../view/slash/commands.ts";
import { box, part, said } from "../../view/slash/box.ts";
import { toastError } from "../state/messages.ts";
import { showBoxes } from "./boxes.ts";

/** The prompt in which a command is typed, and the settings that it can change. */
export interface SlashHost {
  /** The place that shows the answers: a session id, or `new`. */
  readonly place: string;
  /** Number of entries in the conversation. */
  readonly entries: number;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly mode: Mode | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string;
  /** Commands that the agent offers. */
  readonly own: readonly OwnCommand[] | undefined;
  readonly configure: (change: { readonly model?: string; readonly mode?: Mode }) => Promise<void>;
  readonly switchAgent: (agent: string) => Promise<void>;
  readonly showDiff: () => void;
}

/**
 * Reads a prompt that is about to be sent. A command of Reins is run. An unknown command gets an answer and stays in the field. Any other
 * text is returned, to be sent to the agent.
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
