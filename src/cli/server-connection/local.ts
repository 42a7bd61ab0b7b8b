import type { Reins } from "../../core/api.ts";
import { loadConfiguration } from "../../core/config/config.ts";
import { createReins } from "../../core/reins.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { openStore } from "../../store/index.ts";
import { Screen } from "../render/screen.ts";
import type { OpenedReins } from "./open-reins.ts";

/** A Reins in this process, with the user's store unless nothing is to be kept. */
export function localReins({ keep = true }: { readonly keep?: boolean } = {}): OpenedReins {
  const store = keep ? openStore() : undefined;
  const reins: Reins = createReins({ store });
  const close = async (): Promise<void> => {
    await reins.close();
    const warning = store?.takeWarning();
    if (warning !== undefined) new Screen().line(`! ${warning}`, "yellow");
    store?.close();
  };
  return { reins, served: false, cleanUp: () => dailyCleanup(reins), leave: close, [Symbol.asyncDispose]: close };
}

/** Deletes, once a day, the data that the user has configured not to keep. `reins gc` reports problems of that configuration. */
export async function dailyCleanup(reins: Reins): Promise<void> {
  const { store } = await loadConfiguration(currentFolder(), process.env).catch(() => ({ store: undefined }));
  if (store?.keepDays === undefined && store?.maxMb === undefined) return;
  await reins.sessions.collect({ ...store, daily: true }).catch(() => {});
}
