import type { ManagementCommand } from "../agents/contract.ts";
import { ModelLists } from "../core/model-lists.ts";
import { ReinsError } from "../events/errors.ts";
import { asking } from "./asking.ts";
import { type Exit, exitOfCode } from "./exit-codes.ts";
import { hasBrowser, runInTerminal, typed } from "./in-terminal.ts";
import { Screen } from "./screen.ts";

type Action = "login" | "logout" | "update";

/** `reins login`, `logout` and `update`: the agent's own command, in the person's terminal. */
export async function sign(action: Action, id: string, ending: AbortSignal): Promise<Exit> {
  const command = await asking("Asking the agent", ending, async (reins) => (await reins.manage(id))[action]());
  const exit = await handOver(command, action === "login");
  // Another command may have asked for models while this one ran.
  await new ModelLists(process.env).forget(id);
  return exit;
}

/** Runs it; one that needs a person is refused where there is no terminal. */
export async function handOver(command: ManagementCommand, needsPerson: boolean): Promise<Exit> {
  if (needsPerson && !process.stdin.isTTY) {
    throw new ReinsError("unsupported", "Signing in needs a terminal, and this is none.", {
      help: [`Run \`${typed(command)}\` in one.`, command.withoutBrowser]
        .filter((part) => part !== undefined)
        .join(" "),
    });
  }
  const screen = new Screen();
  screen.line(`$ ${typed(command)}`, "dim");
  if (command.withoutBrowser !== undefined && !hasBrowser({ env: process.env, platform: process.platform }))
    screen.line(`There seems to be no browser here. ${command.withoutBrowser}`);
  const code = await runInTerminal(command);
  if (code === 0 || code > 128) return exitOfCode(code);
  screen.line(`It ended with ${code}.`);
  return "failed";
}
