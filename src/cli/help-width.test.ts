import type { Command } from "commander";
import { expect, it } from "vitest";
import { createProgram } from "./program.ts";

/** The output of `--help`, including the text below the options. */
function helpOf(command: Command): string {
  let printed = "";
  const keep = (text: string): void => {
    printed += text;
  };
  command.configureOutput({ writeOut: keep, getOutHelpWidth: () => 80 }).outputHelp();
  return printed;
}

it("fits the help of every command into 80 columns", async () => {
  const { commands } = await createProgram({ ending: new AbortController().signal, finish: () => {} });
  const all = commands.flatMap((command) => [command, ...command.commands]);
  expect(all.length).toBeGreaterThan(30);
  const wide = all.flatMap((command) => helpOf(command).split("\n")).filter((line) => line.length > 80);
  expect(wide).toEqual([]);
});
