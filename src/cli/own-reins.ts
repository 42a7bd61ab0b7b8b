import type { Reins } from "../core/api.ts";
import { createReins } from "../core/reins.ts";
import { openStore } from "../store/index.ts";
import type { OpenedReins } from "./opened-reins.ts";
import { Screen } from "./screen.ts";
import { tidy } from "./tidy.ts";

/** A Reins of this process, with the person's store unless nothing is to be kept. */
export function ownReins({ keep = true }: { readonly keep?: boolean } = {}): OpenedReins {
  const store = keep ? openStore() : undefined;
  const reins: Reins = createReins({ store });
  return {
    reins,
    tidy: () => tidy(reins),
    async [Symbol.asyncDispose]() {
      await reins.close();
      const warning = store?.takeWarning();
      if (warning !== undefined) new Screen().line(`! ${warning}`, "yellow");
      store?.close();
    },
  };
}
