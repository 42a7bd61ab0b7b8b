import { useState } from "react";
import { sentenceOf } from "../state/api.ts";

export interface Doing {
  readonly busy: boolean;
  /** Why it did not work. */
  readonly error: string | undefined;
  readonly run: (work: () => Promise<void>) => void;
}

/** Something that a dialog does, and says when it cannot. */
export function useDoing(): Doing {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    work()
      .catch((thrown: unknown) => setError(sentenceOf(thrown)))
      .finally(() => setBusy(false));
  };
  return { busy, error, run };
}
