/** The command line of one turn: the prompt comes over stdin, the key by the environment. */
import type { Mode } from "../../../events/modes.ts";
import type { OpenOptions } from "../../contract.ts";
import { isElsewhere, isOn, sharedArguments } from "../options.ts";

/** It asks nobody, so there are only the modes in which nobody would have to be asked. */
const modeArguments: Partial<Record<Mode, readonly string[]>> = {
  read: ["--mode", "ask"],
  plan: ["--mode", "plan"],
  full: ["--force"],
};

/** What it calls them itself. */
export const printModes: Partial<Record<Mode, string>> = { read: "ask", plan: "plan", full: "agent, force" };

export interface PrintTurn {
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** The conversation to go on with. */
  readonly chatId?: string | undefined;
  /** Files. */
  readonly images?: readonly string[] | undefined;
  /** Further arguments, such as those that make it load hooks. */
  readonly more?: readonly string[] | undefined;
}

export function printArguments(
  env: Readonly<Record<string, string | undefined>>,
  options: Pick<OpenOptions, "cwd" | "directories" | "extraArgs">,
  { mode, model, chatId, images = [], more = [] }: PrintTurn,
): string[] {
  const latest = chatId === undefined && isOn(env, "CONTINUE");
  return [
    ...["--print", "--output-format", "stream-json", "--stream-partial-output"],
    ...(modeArguments[mode] ?? []),
    ...(model === undefined ? [] : ["--model", model]),
    ...(chatId === undefined ? [] : ["--resume", chatId]),
    ...(latest ? ["--continue"] : []),
    ...(isElsewhere(env) ? [] : ["--workspace", options.cwd]),
    ...images.flatMap((image) => ["--image", image]),
    ...more,
    ...sharedArguments(env, options),
  ];
}
