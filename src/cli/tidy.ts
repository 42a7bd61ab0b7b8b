import type { Reins } from "../core/api.ts";
import { loadConfiguration } from "../core/configuration.ts";
import type { Configuration } from "../core/configuration.ts";
import { currentFolder } from "../process/current-folder.ts";

/** What a person has said is not to be kept is removed, once a day. What is wrong with that is told by `reins gc`. */
export async function tidy(reins: Reins): Promise<void> {
  const { store } = await configured().catch(() => ({ store: undefined }));
  if (store?.keepDays === undefined && store?.maxMb === undefined) return;
  await reins.sessions.collect({ ...store, daily: true }).catch(() => {});
}

async function configured(): Promise<Pick<Configuration, "store">> {
  return loadConfiguration(currentFolder(), process.env);
}
