import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Agent, AgentContext, AgentEntry } from "../../agents/contract.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Child, LaunchSpec, Processes } from "../../process/types.ts";
import { recordAgent, replayAgent, replayWire } from "./replay.ts";
import { recordWire, lineEntry, readRecording, type Recording, type WireEntry } from "./record.ts";

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "reins-wire-"))));
afterEach(() => rm(folder, { recursive: true }));

const spec: LaunchSpec = { command: "x", args: ["-p"], cwd: "/", env: {}, agent: "some", stdin: "pipe" };
const meta = { args: ["-p"], code: 0, signal: null, stderr: "" };
const out = (msg: unknown): WireEntry => ({ t: 2, dir: "out", msg });
const into = (msg: unknown): WireEntry => ({ t: 1, dir: "in", msg });
const eof: WireEntry = { t: 3, dir: "in", eof: true };

/** A turn with a permission request, after a first request of the driver. */
const turn: Recording = {
  meta,
  entries: [
    into({ type: "control_request", request_id: "init-1", request: { subtype: "initialize" } }),
    out({ type: "control_response", response: { subtype: "success", request_id: "init-1", response: { pid: 7 } } }),
    into({ type: "user", message: "recorded words" }),
    out({ type: "system" }),
    { t: 2, dir: "out", text: "no JSON" },
    out({ type: "control_request", request_id: "ask-1", request: { subtype: "can_use_tool" } }),
    into({ type: "control_response", response: { subtype: "success", request_id: "ask-1", response: { ok: true } } }),
    out({ type: "result" }),
    eof,
  ],
};

async function readAll(child: Child): Promise<string[]> {
  const all: string[] = [];
  for await (const { lines } of child.lines) all.push(...lines);
  return all;
}

/** A minimal driver: it sends a request and a prompt of its own, and answers every request. */
async function drive(child: Child): Promise<string[]> {
  const write = (message: unknown) => child.write(JSON.stringify(message) + "\n");
  const heard: string[] = [];
  await write({ type: "control_request", request_id: "live-9", request: { subtype: "initialize" } });
  for await (const { lines } of child.lines) {
    for (const line of lines) {
      heard.push(line);
      if (line.includes("live-9")) await write({ type: "user", message: "live words" });
      if (line.includes("can_use_tool"))
        await write({ type: "control_response", response: { request_id: "ask-1", response: { ok: false } } });
      if (line.includes('"result"')) child.closeStdin();
    }
  }
  return heard;
}

describe("a replay", () => {
  test("waits for the recorded inputs, and answers under the live id", async () => {
    const processes = replayWire(turn);
    const child = await processes.launch(spec);
    const heard = await drive(child);
    expect(heard.map((line) => lineEntry(0, "out", line))).toMatchObject([
      { msg: { response: { request_id: "live-9", response: { pid: 7 } } } },
      { msg: { type: "system" } },
      { text: "no JSON" },
      { msg: { request_id: "ask-1" } },
      { msg: { type: "result" } },
    ]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(processes.children[0]?.inputs).toHaveLength(3);
  });

  test("answers requests that are not in the recording", async () => {
    const child = await replayWire({ meta, entries: [into({ type: "user" }), out({ type: "result" }), eof] }).launch(
      spec,
    );
    expect(await drive(child)).toEqual([expect.stringContaining('"success"'), '{"type":"result"}']);
    const rpc = await replayWire({ meta, entries: [eof] }, { reply: (message) => [{ told: message }] }).launch(spec);
    await rpc.write('{"jsonrpc":"2.0","id":1,"method":"hello"}\n');
    const reading = rpc.lines[Symbol.asyncIterator]();
    expect((await reading.next()).value).toMatchObject({ lines: [expect.stringContaining('"told"')] });
    rpc.closeStdin();
    expect((await reading.next()).done).toBe(true);
  });

  test("maps the ids of JSON-RPC too", async () => {
    const entries = [into({ jsonrpc: "2.0", id: 0, method: "go" }), out({ jsonrpc: "2.0", id: 0, result: {} })];
    const child = await replayWire({ meta: { ...meta, code: 3 }, entries }).launch(spec);
    await child.write('{"jsonrpc":"2.0","id":41,');
    await child.write('"method":"go"}\n');
    expect(await readAll(child)).toEqual(['{"jsonrpc":"2.0","id":41,"result":{}}']);
    expect(await child.exited).toEqual({ code: 3, signal: null });
  });

  test("fails with a sentence when an input never comes, and stops on request", async () => {
    const late = await replayWire(turn, { deadlineMs: 1 }).launch(spec);
    await readAll(late);
    expect(await late.exited).toEqual({ code: 1, signal: null });
    expect(late.stderrTail()).toContain("waited too long for");
    const stopped = await replayWire(turn).launch(spec);
    const reading = readAll(stopped);
    expect(await stopped.stop()).toEqual({ code: null, signal: "SIGTERM" });
    expect(await reading).toEqual([]);
  });

  test("plays one recording per launch, and answers short commands", async () => {
    const processes = replayWire([turn], { run: ([flag]) => ({ stdout: `${flag} 1.2.3` }) });
    await processes.launch(spec);
    await expect(processes.launch(spec)).rejects.toThrow("There is no recording left for this launch.");
    expect(await processes.run({ ...spec, args: ["--version"] }, 1)).toMatchObject({
      stdout: "--version 1.2.3",
      code: 0,
    });
    await processes.close();
  });
});

describe("a recording", () => {
  test("of a replay replays the same, without secrets", async () => {
    const env = { MY_API_KEY: "hush-hush-hush-1234" };
    const secret: Recording = {
      ...turn,
      entries: turn.entries.map((entry) =>
        entry.dir === "out" && "text" in entry ? { ...entry, text: `key ${env.MY_API_KEY}` } : entry,
      ),
    };
    const heard = await drive(
      await recordWire(replayWire(secret), { folder, redact: createRedactor(env) }).launch(spec),
    );
    expect(heard.join()).toContain(env.MY_API_KEY);

    const file = join(folder, "01-some.ndjson");
    expect(await readFile(file, "utf8")).not.toContain(env.MY_API_KEY);
    const recording = await readRecording(file);
    expect(recording.meta).toEqual(meta);
    expect(recording.entries.map((entry) => [entry.dir, "eof" in entry])).toEqual(
      turn.entries.map((entry) => [entry.dir, "eof" in entry]),
    );
    const again = await drive(await replayWire(file).launch(spec));
    expect(again.map((line) => line.replace(/key .*/, ""))).toEqual(heard.map((line) => line.replace(/key .*/, "")));
  });

  test("in the older format is readable", async () => {
    const file = join(folder, "old.ndjson");
    const lines = [
      { t: 1, dir: "in", raw: "\n\n" },
      { t: 1, dir: "in", raw: "words" },
      { t: 2, dir: "out", len: 3, msg: { type: "__text", l: "abc" } },
      { t: 2, dir: "out", len: 9, msg: { type: "a" } },
      { t: 3, dir: "sig", sig: "SIGTERM" },
      { t: 4, dir: "timeout" },
    ];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { entries, meta: none } = await readRecording(file);
    expect(entries).toMatchObject([
      { text: "words" },
      { dir: "out", text: "abc" },
      { msg: { type: "a" } },
      { sig: "SIGTERM" },
    ]);
    expect(none).toBeUndefined();
  });
});

test("records and replays an agent through its entry", async () => {
  const createAgent = (context: AgentContext) => ({ context }) as unknown as Agent;
  const entry: AgentEntry = { id: "some", name: "Some", load: () => Promise.resolve({ createAgent }) };
  const processesOf = async (wrapped: AgentEntry): Promise<Processes> => {
    const { createAgent: create } = await wrapped.load();
    const context = { processes: replayWire(turn), redact: createRedactor({}) } as unknown as AgentContext;
    return (create(context) as unknown as { context: AgentContext }).context.processes;
  };
  await drive(await (await processesOf(recordAgent(entry, folder))).launch(spec));
  const file = join(folder, "01-some.ndjson");
  expect(await drive(await (await processesOf(replayAgent(entry, file))).launch(spec))).toHaveLength(5);
});
