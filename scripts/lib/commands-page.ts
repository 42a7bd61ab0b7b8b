/** docs/commands.md, from the definitions of the commands. */
import type { Command } from "commander";
import { createProgram } from "../../src/cli/program.ts";

export async function commandsPage(): Promise<string> {
  const program = await createProgram({ ending: new AbortController().signal, finish: () => undefined });
  return [
    "# Commands and options",
    "",
    "Every command of `reins`, made from the code by `npm run docs`; `test/commands-page.test.ts` compares it. [The command](cli.md) explains how they behave.",
    "`reins` alone opens the terminal interface and takes the options of `reins tui`.",
    "",
    ...program.commands.flatMap((command) => section(command, "reins")),
  ].join("\n");
}

function section(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length > 0) {
    const subcommands = command.commands.flatMap((one) => section(one, name));
    return parent === "reins" ? [`## \`${name}\``, "", command.description(), "", ...subcommands] : subcommands;
  }
  const rows = [
    ...command.registeredArguments.map((one) => [
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
      one.description,
    ]),
    ...command.options.filter(({ hidden }) => !hidden).map(({ flags, description }) => [flags, description]),
  ];
  const table = ["| argument or option | meaning |", "| --- | --- |"];
  return [
    `${parent === "reins" ? "##" : "###"} \`${name}\``,
    "",
    command.description(),
    "",
    ...(rows.length === 0 ? [] : [...table, ...rows.map(([left = "", right = ""]) => row(left, right)), ""]),
  ];
}

function row(left: string, right: string): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  return `| \`${cell(left)}\` | ${cell(right)} |`;
}
