import { expect, test } from "vitest";
import { EndTurn, orEnd } from "./stop-turn.ts";

test("ignores a promise that rejects after the turn has ended", async () => {
  const ended = AbortSignal.abort(new EndTurn("cancelled"));
  const unhandled: unknown[] = [];
  const keep = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", keep);
  try {
    const late = Promise.withResolvers<void>();
    await expect(orEnd(ended, late.promise)).rejects.toThrow(EndTurn);
    late.reject(new Error("aborted"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", keep);
  }
});
