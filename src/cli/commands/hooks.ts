import { Argument, type Command } from "commander";
import type { Reins } from "../../core/api.ts";
import type { HooksInfo } from "../../agents/shared/hooks.ts";
import { count } from "../../view/labels.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { table } from "../render/table.ts";
import { show } from "../with-status.ts";

const actions = ["status", "install", "remove"] as const;

const words: Record<HooksInfo["state"], string> = {
  absent: "no file",
  not_installed: "not installed",
  installed: "installed",
  broken: "cannot be read",
};

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "hooks", "Manage hooks of Reins in an agent's own settings files.")
    .argument("<agent>", texts.agent)
    .addArgument(new Argument("<action>", "show, install or remove the hooks").choices(actions))
    .option("--project", "use the file of this folder instead of the one for all projects")
    .option("--json", texts.json)
    .action(
      (id: string, action: (typeof actions)[number], { json, project }: SharedOptions & { project?: boolean }) => {
        const scope = project === true ? "project" : "user";
        const ask = async (reins: Reins) => {
          const { hooks } = await reins.manage(id);
          if (action !== "status") return [await hooks[action](scope)];
          const all = await hooks.status();
          return project === true ? all.filter((one) => one.scope === scope) : all;
        };
        return show("Looking at the agent's files", { ending, json }, ask, shown);
      },
    );
}

function shown(all: readonly HooksInfo[]): string {
  const rows = all.map(({ scope, path, state, kept, sessions, others, detail }) => {
    const usedBy = [...(kept ? ["you"] : []), ...(sessions === 0 ? [] : [count(sessions, "session")])].join(", ");
    const below = detail === undefined ? undefined : `→ ${detail}`;
    return { cells: [scope, words[state], usedBy, others === 0 ? "" : others, path], below };
  });
  return table(["scope", "state", "used by", "others", "file"], rows);
}
