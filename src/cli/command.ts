/** Helpers to declare commands for commander. Each file in `commands/` registers and runs one command. */
import { InvalidArgumentError, Option, type Command, type CommandOptions } from "commander";
import { modes, type Mode } from "../events/modes.ts";
import type { Exit } from "./exit-codes.ts";

export interface CommandContext {
  /** Aborts when the command should stop early. */
  readonly ending: AbortSignal;
  /** Sets how the command ends; the default is "done". A number is the exit code of a program that ran in its place. */
  readonly finish: (exit: Exit | number) => void;
}

/** Options that several commands share, as commander passes them. */
export interface SharedOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly cwd?: string;
  /** Only sessions of the current folder. */
  readonly here?: boolean;
  readonly limit?: number;
  readonly json?: boolean;
}

export const texts = {
  json: "print one line of JSON each",
  events: "print every event as one line of JSON, and nothing else on stdout",
  session: "its id or a prefix of it, the agent's own id, or `last` for the last one in this folder",
  agent: "its id in `reins agents`",
  allowUnenforced: "use the agent even if it cannot enforce every deny rule",
} as const;

export function addCommand(parent: Command, name: string, description: string, options: CommandOptions = {}): Command {
  return parent.command(name, options).description(description).helpOption("-h, --help", "show this help");
}

/** A command that only has subcommands. */
export function addGroup(program: Command, name: string, description: string): Command {
  return addCommand(program, name, description).helpCommand(false).exitOverride();
}

export function modeOption(description: string): Option {
  return new Option("--mode <mode>", description).choices(modes);
}

export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

export function numberOption(isValid: (value: number) => boolean, mustBe: string): (value: string) => number {
  return (text) => {
    const value = Number(text);
    if (!isValid(value)) throw new InvalidArgumentError(`It must be ${mustBe}.`);
    return value;
  };
}

export const count: (value: string) => number = numberOption(
  (value) => Number.isInteger(value) && value >= 1,
  "a whole number, 1 or more",
);

export const positive: (value: string) => number = numberOption(
  (value) => Number.isFinite(value) && value > 0,
  "a number above 0",
);
