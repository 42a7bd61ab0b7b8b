import { agentEntries } from "../../../agents/index.ts";
import { unifiedModels } from "../../../agents/models.ts";
import { AgentFiles } from "../../../core/config/agent-files.ts";
import { loadPersonsAgents } from "../../../core/config/config.ts";
import { ModelLists } from "../../../core/catalog/model-lists.ts";
import { currentFolder } from "../../../process/launch/current-folder.ts";
import { openStore } from "../../../store/index.ts";
import type { Asked } from "./words.ts";

const mostSessions = 50;

/** The names that exist now. Starts no program: the user waits at the shell prompt. */
export async function valuesOf(kind: Asked): Promise<readonly string[]> {
  const { env } = process;
  const ids = agentEntries.map(({ id }) => id);
  switch (kind) {
    case "agents": {
      // Other commands report a broken configuration.
      const configured = await loadPersonsAgents(env).catch(() => ({}));
      const files = await AgentFiles.find(currentFolder(), env, undefined).catch(() => undefined);
      return [...ids, ...Object.keys(configured), ...(files?.names ?? [])];
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
