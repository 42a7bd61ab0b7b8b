import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import { recordedWires } from "./wires.ts";
import type { RecordedTranslator } from "./types.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import { reportOf, translateFolder } from "./translate.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recorded-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes objects as lines of JSON. */
function write(name: string, ...lines: (object | string)[]): void {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), `${text}\n`);
}

/** Translates the folder for an agent with messages such as `{"say": "..."}`. */
function translate(said: RecordedTranslator["said"], more: Partial<RecordedTranslator> = {}, from = folder) {
  const wire = {
    name: "sayings",
    recognizes: (message: unknown) => "say" in Object(message),
    conversations: () => [{ said, exited: () => [], ...more }],
  };
  return translateFolder({ id: "toy", name: "Toy" }, from, [wire]);
}

const speaking = (message: unknown): AgentEvent[] => {
  const { say } = Object(message) as { say?: string };
  if (say === undefined) return [{ type: "notice", level: "warning", code: "unparsed", message: "It is strange." }];
  if (say === "end") return [{ type: "turn.ended", outcome: "done" }];
  return [{ type: "message.completed", messageId: say, text: say }];
};

test("translates every stream below the folder, and reports each unknown line with its position", async () => {
  write("a.jsonl", { say: "hello" }, "no JSON", { say: "end" });
  write(
    "deep/b.stdout.ndjson",
    { t: 0, dir: "in", msg: { say: "not said" } },
    { t: 1, dir: "out", msg: { say: "end" } },
  );
  write("c.ndjson", { other: true });
  write("d.ndjson");
  write("notes.md", "no stream");
  const reports = await translate(speaking);
  expect(reports).toMatchObject([
    { file: "a.jsonl", outcome: "translated", turns: 1, notices: 1, strange: ["line 2: It is strange."], broken: [] },
    { file: "c.ndjson", outcome: "left_out" },
    { file: "d.ndjson", outcome: "left_out", why: "the file is empty" },
    { file: join("deep", "b.stdout.ndjson"), outcome: "translated", turns: 1, broken: [] },
  ]);
  const { lines, failed } = reportOf(reports);
  expect(failed).toBe(false);
  expect(lines).toContain("    not understood: line 2: It is strange.");
  expect(lines.at(-1)).toMatch(/^2 of 4 files translated, \d+ events, every law held\.$/);
});

test("reads the exit of a process from the files beside the stream", async () => {
  const seen: unknown[] = [];
  const exited: RecordedTranslator["exited"] = (exit, stderr) => (seen.push([exit, stderr]), []);
  write("a.stdout.ndjson", { say: "x" });
  write("a.meta.json", { exit: 3 });
  write("a.stderr.txt", "oops");
  write("b.ndjson", { say: "x" });
  write("b.meta.json", { code: null, signal: "SIGTERM", stderr: "ended" });
  write("c.ndjson", { say: "x" });
  await translate(speaking, { exited });
  expect(seen).toEqual([
    [{ code: 3, signal: null }, "oops\n"],
    [{ code: null, signal: "SIGTERM" }, "ended"],
    [{ code: 0, signal: null }, ""],
  ]);
});

test("starts turns with the prompts that were sent, and queues those sent at once", async () => {
  const begins: RecordedTranslator["begins"] = ({ dir }) => dir === "in";
  write("a.stdout.ndjson", { say: "one" }, { say: "end" }, { say: "two" }, { say: "end" });
  write("a.stdin.ndjson", { prompt: 1 }, { prompt: 2 });
  expect(await translate(speaking, { begins })).toMatchObject([{ turns: 2, broken: [] }]);
});

test.for([
  [
    "emits an event outside the vocabulary",
    () => [{ type: "hello" } as unknown as AgentEvent],
    /line 1: hello is not in/,
  ],
  [
    "throws",
    () => {
      throw new Error("oh");
    },
    /line 1: law 6: the translator threw: Error: oh/,
  ],
] as const)("reports a broken law for a translator that %s, and fails", async ([, said, sentence]) => {
  write("a.ndjson", { say: "x" });
  const reports = await translate(said);
  expect(reports[0]).toHaveProperty("broken", expect.arrayContaining([expect.stringMatching(sentence)]));
  const { failed, lines } = reportOf(reports);
  expect(failed).toBe(true);
  expect(lines[0]).toMatch(/^✘ a\.ndjson: .*laws broken$/);
});

test("fails for an unreadable file and for a folder without streams", async () => {
  write("a.ndjson", { say: "end" });
  writeFileSync(join(folder, "b.ndjson"), Buffer.from([0x7b, 0xff, 0xfe]));
  const reports = await translate(speaking);
  expect(reports[1]).toMatchObject({ file: "b.ndjson", outcome: "unreadable" });
  expect(reportOf(reports).failed).toBe(true);
  expect(reportOf(reports.slice(1)).lines.join()).not.toContain("law");
  expect(reportOf([])).toEqual({ failed: true, lines: [expect.stringContaining(".ndjson")] });
  await expect(translate(speaking, {}, join(folder, "gone"))).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("is not a folder"),
  });
});

test("every agent with a wire has recordings that can be translated", async () => {
  const without = agentEntries.filter(({ id }) => recordedWires[id] === undefined);
  const remote = agentEntries.filter(({ id }) => id.endsWith("-cloud")).map(({ id }) => id);
  // In-process agents, and one that is driven by its screen.
  const withoutWire = ["demo", "native", "aider"];
  expect(without.map(({ id }) => id).toSorted()).toEqual([...remote, ...withoutWire].toSorted());
  for (const entry of agentEntries) {
    const wires = [(await recordedWires[entry.id]?.(entry)) ?? []].flat();
    for (const wire of wires) expect([wire.name, wire.recognizes({ strange: true })]).toEqual([wire.name, false]);
  }
  await expect(translateFolder({ id: "demo", name: "Demo" }, folder)).rejects.toMatchObject({ code: "unsupported" });
});
