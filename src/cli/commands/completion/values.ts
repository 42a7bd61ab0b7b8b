import { agentEntries } from "../../../agents/index.ts";
import { unifiedModels } from "../../../agents/models.ts";
import { AgentFiles } from "../../../core/config/agent-files.ts";
import { loadPersonsAgents } from "../../../core/config/config.ts";
import { ModelLists } from "../../../core/catalog/model-lists.ts";
import { currentFolder } from "../../../process/launch/current-folder.ts";
import { openStore } from "../../../store/index.ts";
import type { Asked } from "./words.ts";

/** The ones that were used last. */
const mostSessions = 50;

/** The names that there are now. Nobody is asked, no program is started: a person waits at the prompt for them. */
export async function valuesOf(kind: Asked): Promise<readonly string[]> {
  const { env } = process;
  const ids = agentEntries.map(({ id }) => id);
  switch (kind) {
    case "agents": {
      // What is wrong with a configuration is told by what needs it.
      const configured = await loadPersonsAgents(env).catch(() => ({}));
      const names = await filesHere(env).catch(() => []);
      return [...ids, ...Object.keys(configured), ...names];
    }
    case "sessions": {
      using store = openStore();
      return store.trouble === undefined ? store.sessions.list({ limit: mostSessions }).map(({ id }) => id) : [];
    }
    case "models": {
      const lists = new ModelLists(env);
      const listed = await Promise.all(ids.map(async (id) => (await lists.remembered(id)) ?? []));
      return [
        ...unifiedModels.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
        ...listed.flat().map(({ id }) => id),
      ];
    }
  }
}

async function filesHere(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  return [...(await AgentFiles.find(currentFolder(), env, undefined)).names];
}
