import { expect, test } from "vitest";
import { mergeSent } from "./files.ts";

const out = (message: object) => ({ dir: "out" as const, message });
const request = (id: number, method: string) => ({ id, method });
const shape = (merged: readonly { dir: string; message: unknown }[]) =>
  merged.map(({ dir, message }) => {
    const { id, method } = message as { id?: number; method?: string };
    return `${dir} ${id ?? "-"} ${method ?? "answer"}`;
  });

test("puts each request before its answer, and after the answer to the one before", () => {
  const sent = [request(1, "open"), request(2, "prompt")];
  const lines = [out({ method: "early" }), out({ id: 1 }), out({ method: "news" }), out({ id: 2 })];
  expect(shape(mergeSent(lines, sent))).toEqual([
    "in 1 open",
    "out - early",
    "out 1 answer",
    "in 2 prompt",
    "out - news",
    "out 2 answer",
  ]);
});

test("puts an answer of Reins after the agent's question, and each request before its own answer", () => {
  const sent = [request(1, "prompt"), { id: 9 }, request(2, "stop"), { method: "told" }];
  const lines = [out({ id: 9, method: "may I" }), out({ id: 2 }), out({ id: 1 })];
  expect(shape(mergeSent(lines, sent))).toEqual([
    "in 1 prompt",
    "out 9 may I",
    "in 9 answer",
    "in 2 stop",
    "out 2 answer",
    "in - told",
    "out 1 answer",
  ]);
});

test("puts everything that was sent first when there are no ids, and loses nothing", () => {
  expect(shape(mergeSent([out({ method: "said" })], [{ type: "user" }]))).toEqual(["in - answer", "out - said"]);
  expect(mergeSent([], [request(1, "a"), request(2, "b")])).toHaveLength(2);
});
