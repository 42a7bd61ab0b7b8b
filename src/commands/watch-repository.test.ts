import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Reins } from "../core/api.ts";
import { repositoryStatus, type RepositoryStatus } from "../view/repository.ts";
import { watchRepository } from "./watch-repository.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const status = (branch: string): RepositoryStatus =>
  repositoryStatus({
    ...{ repoName: "a", branch, isDirty: false, isAhead: false, isBehind: false, hasConflicts: false },
    ...{ hasRemote: true, checksStatus: null },
  });

/** Each query takes `takesMs` and gets the next of `answers`; the last one is repeated. */
function prepare(answers: readonly (RepositoryStatus | undefined | Error)[], takesMs = 10, intervalMs?: number) {
  const stop = new AbortController();
  const asked: number[] = [];
  const seen: (string | undefined)[] = [];
  let [open, most] = [0, 0];
  const startedAt = Date.now();
  const repository = vi.fn<Reins["repository"]>(async () => {
    asked.push(Date.now() - startedAt);
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    open--;
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const options = {
    cwd: "/work",
    signal: stop.signal,
    intervalMs,
    onStatus: (now?: RepositoryStatus) => seen.push(now?.branch),
  };
  const watch = watchRepository({ repository }, options);
  return {
    watch,
    stop,
    asked,
    seen,
    repository,
    most: () => most,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

describe("polling", () => {
  it("asks at once and every 30 seconds, and reports only changes", async () => {
    const { asked, seen, repository, pass } = prepare([status("one"), status("one"), status("two"), undefined]);
    await pass(10);
    expect(seen).toEqual(["one"]);
    await pass(120_000);
    expect(asked).toEqual([0, 30_010, 60_020, 90_030]);
    expect(seen).toEqual(["one", "two", undefined]);
    expect(repository).toHaveBeenCalledWith({ cwd: "/work" });
  });

  it("reports once that there is no repository", async () => {
    const { seen, pass } = prepare([undefined], 10, 1_000);
    await pass(5_000);
    expect(seen).toEqual([undefined]);
  });

  it("doubles the interval up to five minutes while it fails, keeps the last status, and recovers", async () => {
    const wrong = new Error("no");
    const answers = [status("one"), wrong, wrong, wrong, wrong, wrong, wrong, status("two"), status("two")];
    const { asked, seen, pass } = prepare(answers);
    await pass(7 * 300_000);
    const gaps = asked.slice(1).map((at, index) => at - asked[index]!);
    const waits = gaps.slice(0, 8).map((gap) => gap - 10);
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000, 300_000, 30_000]);
    expect(seen).toEqual(["one", "two"]);
  });

  it("asks a slow repository less often", async () => {
    const { asked, pass } = prepare([status("one")], 4_000);
    await pass(400_000);
    expect(asked).toEqual([0, 64_000, 188_000]);
  });
});

describe("refresh", () => {
  it("asks at once and restarts the interval", async () => {
    const { watch, asked, pass } = prepare([status("one")]);
    await pass(10_000);
    watch.refresh();
    expect(asked).toEqual([0, 10_000]);
    await pass(30_010);
    expect(asked).toEqual([0, 10_000, 40_010]);
  });

  it("joins many calls into one query, and never runs two at a time", async () => {
    const { watch, asked, most, pass } = prepare([status("one"), status("two")], 1_000);
    await pass(10);
    for (let call = 0; call < 100; call++) watch.refresh();
    await pass(20_000);
    // The first query was running: its answer may be from before the change.
    expect(asked).toEqual([0, 1_300]);
    await pass(2_000);
    for (let call = 0; call < 100; call++) {
      watch.refresh();
      await pass(1);
    }
    await pass(5_000);
    expect(asked).toEqual([0, 1_300, 22_010, 23_310]);
    expect(most()).toBe(1);
  });

  it("waits a moment after a query that just ended", async () => {
    const { watch, asked, pass } = prepare([status("one")]);
    await pass(100);
    watch.refresh();
    watch.refresh();
    await pass(1_000);
    expect(asked).toEqual([0, 300]);
  });

  it("asks at once while polling has backed off", async () => {
    const { watch, asked, pass } = prepare([new Error("no")], 0);
    await pass(100_000);
    watch.refresh();
    expect(asked).toEqual([0, 60_000, 100_000]);
  });
});

describe("stopping", () => {
  it("leaves no timer and makes no call, at any time", async () => {
    const { watch, stop, asked, seen, pass } = prepare([status("one"), status("two")], 1_000);
    await pass(2_000);
    watch.refresh();
    await pass(10);
    stop.abort();
    watch.refresh();
    await pass(1_000);
    expect(vi.getTimerCount()).toBe(0);
    expect({ asked, seen }).toEqual({ asked: [0, 2_000], seen: ["one"] });
    watch.refresh();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not start when the signal is already aborted", () => {
    const repository = vi.fn<Reins["repository"]>(() => Promise.resolve(undefined));
    const options = { signal: AbortSignal.abort(), onStatus: () => undefined };
    watchRepository({ repository }, options).refresh();
    expect(repository).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
