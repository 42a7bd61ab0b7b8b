import type { Command } from "commander";
import type { ListedRule, PolicyTrial, TriedCall } from "../../core/api.ts";
import { ReinsError } from "../../events/errors.ts";
import { tools, type Tool } from "../../events/tools.ts";
import { ruleSources } from "../../view/slash/record-boxes.ts";
import { addCommand, addGroup, modeOption, texts, type SharedOptions } from "../command.ts";
import { table } from "../render/table.ts";
import { print, withReins } from "../with-status.ts";

export function register(program: Command): void {
  const policy = addGroup(program, "policy", "Rules for what agents may do.");
  const add = (name: string, description: string, options = {}): Command =>
    addCommand(policy, name, description, options);
  const inFolder = ["--cwd <folder>", "of this folder instead of the current one"] as const;
  add("list", "List the rules for this folder in order, with their origin.", {
    isDefault: true,
  })
    .option(...inFolder)
    .option("--json", texts.json)
    .action(({ cwd, json }: SharedOptions) =>
      withReins(async (reins) => {
        const { rules, remarks } = await reins.policy({ cwd });
        await print(rules, { json }, (all) => [page(all), ...remarks.map((remark) => `\n${remark}\n`)].join(""));
      }),
    );
  add("test", "Show how a call would be decided, by which rule, and why. Runs nothing.")
    .argument("<tool>", "the canonical tool: shell, edit, read, web_fetch, mcp, ...")
    .argument("[input...]", "a command line, paths, an address, server/tool, or the input as JSON")
    .option("-a, --agent <id>", "for this agent (default: the rules for all agents)")
    .addOption(modeOption("in this mode instead of the configured one"))
    .option(...inFolder)
    .option("--json", "print it as one line of JSON")
    .action((tool: string, input: string[], options: SharedOptions) =>
      withReins(async (reins) => {
        const { cwd, json, agent, mode } = options;
        const view = await reins.policy({ cwd });
        const found = await view.test({ ...callOf(tool, input), agent, mode });
        await print([found], { json }, ([one]) => trial(one!));
      }),
    );
  add("rm", "Remove a rule that you added with “always”, by its number in the list.")
    .argument("<number>", "its number in `reins policy list`")
    .option(...inFolder)
    .action((number: string, { cwd }: SharedOptions) => {
      if (!/^\d+$/.test(number))
        throw new ReinsError("invalid_input", `There is no rule ${number}.`, {
          help: "`reins policy list` shows the numbers.",
        });
      return withReins(async (reins) => {
        const removed = await (await reins.policy({ cwd })).remove(Number(number));
        await print([removed], {}, ([one]) => `Removed: ${one!.said}\n`);
      });
    });
}

function page(rules: readonly ListedRule[]): string {
  if (rules.length === 0) return "There are no rules. The mode and your answers decide.\n";
  return table(
    ["no", "rule", "from"],
    rules.map(({ number, said, source, file, note, rule }) => ({
      cells: [
        String(number),
        said,
        ruleSources[source] + (file === undefined || source === "answer" ? "" : `, ${file}`),
      ],
      below: note === undefined ? rule.reason : `→ it has no effect: ${note}`,
    })),
  );
}

function trial({ decision, rule, why }: PolicyTrial): string {
  const from = rule?.file === undefined ? "" : ` (${rule.file})`;
  const by = rule === undefined ? "the mode" : `rule ${rule.number}: ${rule.said}${from}`;
  return `${decision}  by ${by}\n${why}\n`;
}

/** Builds the input of a call from words (a command, paths, an address, server/tool) or from JSON. */
function callOf(tool: string, words: readonly string[]): TriedCall {
  if (!(tools as readonly string[]).includes(tool))
    throw new ReinsError("invalid_input", `There is no tool ${tool}.`, { help: `There are ${tools.join(", ")}.` });
  const canonical = tool as Tool;
  const text = words.join(" ");
  if (text.trimStart().startsWith("{")) return { tool: canonical, input: parsed(text) };
  const [server = "", ...name] = text.split("/");
  if (canonical === "mcp") return { tool: canonical, input: {}, mcp: { server, tool: name.join("/") } };
  const inputs: Partial<Record<Tool, object>> = {
    shell: { command: text },
    web_fetch: { url: text },
    move: { from: words[0], to: words[1] },
  };
  const paths = words.length === 1 ? { path: text } : { paths: words };
  return { tool: canonical, input: inputs[canonical] ?? paths };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ReinsError("invalid_input", "The input looks like JSON but is not valid.", { cause });
  }
}
