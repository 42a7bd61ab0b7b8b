import type { ListedRule, PolicyTrial, TriedCall } from "../core/api.ts";
import { ReinsError } from "../events/errors.ts";
import { tools } from "../events/tools.ts";
import type { Tool } from "../events/tools.ts";
import type { Mode } from "../events/modes.ts";
import { print, withReins } from "./asking.ts";
import { table } from "./table.ts";

export interface PolicyCommand {
  readonly cwd?: string;
  readonly json?: boolean;
}

/** `reins policy list`: every rule that counts in a folder, and where it comes from. */
export async function policyList({ cwd, json = false }: PolicyCommand): Promise<void> {
  await withReins(async (reins) => {
    const { rules, remarks } = await reins.policy({ cwd });
    await print(rules, { json }, (all) => [page(all), ...remarks.map((remark) => `\n${remark}\n`)].join(""));
  });
}

/** `reins policy test`: what would be decided about a call, by which rule, and why. */
export async function policyTest(
  tool: string,
  input: readonly string[],
  { cwd, json = false, agent, mode }: PolicyCommand & { readonly agent?: string; readonly mode?: Mode },
): Promise<void> {
  await withReins(async (reins) => {
    const view = await reins.policy({ cwd });
    const found = await view.test({ ...callOf(tool, input), agent, mode });
    await print([found], { json }, ([one]) => trial(one!));
  });
}

/** `reins policy rm`: an answer counts no longer. */
export async function policyRemove(number: string, { cwd }: PolicyCommand): Promise<void> {
  if (!/^\d+$/.test(number))
    throw new ReinsError("invalid_input", `${number} is no number of a rule.`, {
      help: "`reins policy list` numbers them.",
    });
  await withReins(async (reins) => {
    const view = await reins.policy({ cwd });
    const removed = await view.remove(Number(number));
    await print([removed], {}, ([one]) => `Removed: ${one!.said}\n`);
  });
}

const whose: Readonly<Record<ListedRule["source"], string>> = {
  call: "the call",
  project: "the project",
  answer: "your answer",
  person: "you",
};

function page(rules: readonly ListedRule[]): string {
  if (rules.length === 0) return "There are no rules: the mode decides, and what you answer.\n";
  return table(
    ["no", "rule", "from"],
    rules.map(({ number, said, source, file, note, rule }) => ({
      cells: [
        String(number),
        said,
        file === undefined || source === "answer" ? whose[source] : `${whose[source]}, ${file}`,
      ],
      below: note === undefined ? rule.reason : `→ it can never matter: ${note}`,
    })),
  );
}

function trial({ decision, rule, why }: PolicyTrial): string {
  const by =
    rule === undefined
      ? "the mode"
      : `rule ${rule.number}: ${rule.said}${rule.file === undefined ? "" : ` (${rule.file})`}`;
  return `${decision}  by ${by}\n${why}\n`;
}

/** What the tool is about, as words: a command, paths, an address, a server and its tool; or the input itself, as JSON. */
function callOf(tool: string, words: readonly string[]): TriedCall {
  if (!(tools as readonly string[]).includes(tool))
    throw new ReinsError("invalid_input", `There is no tool ${tool}.`, { help: `There are ${tools.join(", ")}.` });
  const canonical = tool as Tool;
  const text = words.join(" ");
  if (text.trimStart().startsWith("{")) return { tool: canonical, input: parsed(text) };
  switch (canonical) {
    case "shell":
      return { tool: canonical, input: { command: text } };
    case "web_fetch":
      return { tool: canonical, input: { url: text } };
    case "mcp": {
      const [server = "", ...name] = text.split("/");
      return { tool: canonical, input: {}, mcp: { server, tool: name.join("/") } };
    }
    case "move":
      return { tool: canonical, input: { from: words[0], to: words[1] } };
    default:
      return { tool: canonical, input: words.length === 1 ? { path: text } : { paths: words } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ReinsError("invalid_input", "The input begins like JSON and is none.", { cause });
  }
}
