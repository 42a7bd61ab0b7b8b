import { expect, it } from "vitest";
import { newlyWaiting, requestsOf } from "./notifier.tsx";

const session = (id: string, ...waiting: string[]) => ({ id, waiting });

it("notifies once for each request, also for a second one of the same session", () => {
  const before = requestsOf([session("a", "1"), session("b")]);
  expect(newlyWaiting(before, [session("a", "1"), session("b")])).toEqual([]);
  expect(newlyWaiting(before, [session("a", "1", "2"), session("b"), session("c", "1")]).map(({ id }) => id)).toEqual([
    "a",
    "c",
  ]);
  expect(newlyWaiting(before, [session("a"), session("b")])).toEqual([]);
});
