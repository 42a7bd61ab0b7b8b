import { Option } from "commander";
import type { Command } from "commander";
import { modes } from "../events/modes.ts";
import type { Mode } from "../events/modes.ts";
import type { PolicyCommand } from "./policy.ts";

const inFolder = "of this folder, instead of the current one";

/** The commands about rules. */
export function addPolicy(program: Command): void {
  const policy = program
    .command("policy")
    .description("The rules about what agents may do.")
    .helpOption("-h, --help", "this help")
    .helpCommand(false)
    .exitOverride();
  policy
    .command("list", { isDefault: true })
    .description("All that count in this folder, in the order in which they are asked, and where each comes from.")
    .option("--cwd <folder>", inFolder)
    .option("--json", "print one line of JSON each")
    .helpOption("-h, --help", "this help")
    .action(async (options: PolicyCommand) => {
      const { policyList } = await import("./policy.ts");
      await policyList(options);
    });
  policy
    .command("test")
    .description("What would be decided about a call, by which rule, and why. Nothing is run.")
    .argument("<tool>", "the canonical tool: shell, edit, read, web_fetch, mcp, ...")
    .argument("[input...]", "a command line, paths, an address, server/tool, or the input as JSON")
    .option("-a, --agent <id>", "for this agent; otherwise by the rules for all of them")
    .addOption(new Option("--mode <mode>", "in this mode, instead of the configured one").choices(modes))
    .option("--cwd <folder>", inFolder)
    .option("--json", "print it as one line of JSON")
    .helpOption("-h, --help", "this help")
    .action(async (tool: string, input: string[], options: PolicyCommand & { agent?: string; mode?: Mode }) => {
      const { policyTest } = await import("./policy.ts");
      await policyTest(tool, input, options);
    });
  policy
    .command("rm")
    .description("Take back an `always` of yours, by its number in the list.")
    .argument("<number>", "its number in `reins policy list`")
    .option("--cwd <folder>", inFolder)
    .helpOption("-h, --help", "this help")
    .action(async (number: string, options: PolicyCommand) => {
      const { policyRemove } = await import("./policy.ts");
      await policyRemove(number, options);
    });
}
