import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { holdTools, pluginText, type HoldReply, type PluginProcess } from "./hold-plugin.ts";

function started() {
  const said: { id?: string; method?: string; params?: unknown }[] = [];
  let hear: (text: string) => void = () => {};
  let end: () => void = () => {};
  const exits: number[] = [];
  const env: Record<string, string | undefined> = { PATH: "/bin", SECRET: "x" };
  const own: PluginProcess = {
    env,
    stdin: {
      setEncoding: () => {},
      on: (event: "data" | "end", listener: (text: string) => void) => {
        if (event === "data") hear = listener;
        else end = () => listener("");
      },
    },
    stdout: { write: (text) => void said.push(JSON.parse(text) as { id?: string }) },
    exit: (code) => void exits.push(code),
  };
  const hooks = holdTools(own, ["SECRET"]);
  const reply = (id: string | undefined, result: HoldReply) => hear(`${JSON.stringify({ id, result })}\n`);
  const call = (args: Record<string, unknown>) =>
    hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args });
  return { said, env, exits, reply, call, hear: (text: string) => hear(text), end: () => end() };
}

test("reports that it is loaded, and removes secret variables", () => {
  const { said, env } = started();
  expect(said).toEqual([{ jsonrpc: "2.0", method: "reins/ready" }]);
  expect(env).toEqual({ PATH: "/bin" });
});

test("holds each call until its own answer", async () => {
  const { said, reply, call } = started();
  const args = { command: "ls" };
  const [first, second] = [call(args), call({ command: "rm" })];
  expect(said.slice(1).map(({ id, params }) => [id, params])).toEqual([
    ["hold-1", { tool: "bash", sessionID: "s", callID: "c", input: { command: "ls" } }],
    ["hold-2", { tool: "bash", sessionID: "s", callID: "c", input: { command: "rm" } }],
  ]);
  reply("hold-2", { decision: "deny", message: "Not that." });
  await expect(second).rejects.toThrow("Not that.");
  reply("hold-1", { decision: "allow" });
  await first;
  expect(args).toEqual({ command: "ls" });
});

test("replaces the input in the same object", async () => {
  const { reply, call } = started();
  const args = { command: "ls", timeout: 5 };
  const waiting = call(args);
  reply("hold-1", { decision: "allow", input: { command: "pwd" } });
  await waiting;
  expect(args).toEqual({ command: "pwd" });
});

test("treats an answer without a decision as a denial, and joins an answer in pieces", async () => {
  const { call, hear } = started();
  const [first, second] = [call({}), call({})];
  hear('{"id":"hold-1"}\n{"id":"hol');
  hear('d-2","result":{"decision":"allow"}}\n');
  await expect(first).rejects.toThrow("It was not allowed.");
  await second;
});

test("ends the program when its input ends", () => {
  const { end, exits } = started();
  end();
  expect(exits).toEqual([0]);
});

test("is a self-contained module", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reins-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "hold.mjs");
  await writeFile(file, pluginText(["A_VARIABLE"]));
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  expect(Object.keys(module)).toEqual(["ReinsHold"]);
});
