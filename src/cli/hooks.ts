import type { HooksInfo } from "../agents/shared/hooks.ts";
import { asking, print } from "./asking.ts";
import type { HookAction } from "./manage-commands.ts";
import { table } from "./table.ts";

const words: Record<HooksInfo["state"], string> = {
  absent: "no file",
  not_installed: "not installed",
  installed: "installed",
  broken: "cannot be read",
};

/** `reins hooks <agent> status|install|remove`. */
export async function hooks(
  id: string,
  action: HookAction,
  options: { readonly json?: boolean; readonly project?: boolean },
  ending: AbortSignal,
): Promise<void> {
  const scope = options.project === true ? "project" : "user";
  const found = await asking("Looking at the agent's files", ending, async (reins) => {
    const { hooks: manage } = await reins.manage(id);
    if (action !== "status") return [await manage[action](scope)];
    const all = await manage.status();
    return options.project === true ? all.filter((one) => one.scope === scope) : all;
  });
  await print(found, options, shown);
}

function shown(all: readonly HooksInfo[]): string {
  const rows = all.map(({ scope, path, state, kept, sessions, others, detail }) => ({
    cells: [scope, words[state], usedBy(kept, sessions), others === 0 ? "" : `${others}`, path],
    below: detail === undefined ? undefined : `→ ${detail}`,
  }));
  return table(["scope", "state", "used by", "others", "file"], rows);
}

function usedBy(kept: boolean, sessions: number): string {
  const running = sessions === 0 ? [] : [sessions === 1 ? "1 session" : `${sessions} sessions`];
  return [...(kept ? ["you"] : []), ...running].join(", ");
}
