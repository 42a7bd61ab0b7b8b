import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { call, chat, init, piece, result } from "../../../../test/fixtures/cursor/lines.ts";
import { streams } from "../../../../test/fixtures/cursor/streams.ts";
import { StandInChild } from "../../../../test/support/stand-in-child.ts";
import { StandInProgram, agentContext } from "../../../../test/support/stand-in-program.ts";
import { agentEventSchema } from "../../../events/schema/index.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { LaunchSpec, Processes } from "../../../process/types.ts";
import type { OpenOptions } from "../../contract.ts";
import { openPrint, type PrintSession } from "./session.ts";

const home = mkdtempSync(join(tmpdir(), "reins-print-"));
mkdirSync(join(home, ".cursor/chats/0123abcd", chat), { recursive: true });
afterAll(() => rmSync(home, { recursive: true, force: true }));

class Program extends StandInChild {
  prompt = "";
  readonly stops: unknown[] = [];

  override write(text: string): Promise<void> {
    this.prompt += text;
    return Promise.resolve();
  }

  override stop(options?: { politely?: boolean }): ReturnType<StandInChild["stop"]> {
    this.stops.push(options);
    return super.stop();
  }
}

async function opened(options: Partial<OpenOptions> = {}, launch?: Processes["launch"]) {
  const specs: LaunchSpec[] = [];
  const programs: Program[] = [];
  const processes = {
    launch: (spec: LaunchSpec) => {
      specs.push(spec);
      programs.push(new Program());
      return launch?.(spec) ?? Promise.resolve(programs.at(-1)!);
    },
  } as unknown as Processes;
  const context = agentContext({ processes, env: { HOME: home, CURSOR_API_KEY: "k", REINS_CURSOR_HOOKS: "off" } });
  const command = { path: "cursor-agent", args: [] };
  const session = await openPrint(context, { sessionId: "s", cwd: home, mode: "full", ...options }, command);
  const events: AgentEvent[] = [];
  const waiting: { type: string; count: number; resolve: () => void }[] = [];
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const read = (async () => {
    for await (const batch of session.events)
      for (const event of batch) {
        events.push(agentEventSchema.parse(event));
        for (const waiter of waiting) if (count(waiter.type) >= waiter.count) waiter.resolve();
      }
  })();
  const said = (type: AgentEvent["type"], times = 1) =>
    new Promise<void>((resolve) => {
      if (count(type) >= times) resolve();
      waiting.push({ type, count: times, resolve });
    });
  return { session, specs, programs, events, said, read };
}

test("sends the prompt to stdin and closes it, with the key only in the environment", async () => {
  const { session, specs, programs, said, read } = await opened({ model: "auto" });
  expect(specs).toEqual([]);
  await session.prompt({ text: "Do it." });
  expect(specs[0]).toMatchObject({ command: "cursor-agent", cwd: home, stdin: "pipe", sessionId: "s" });
  expect(specs[0]?.args).toEqual(expect.arrayContaining(["--print", "--force", "--model", "auto"]));
  expect(JSON.stringify(specs[0]?.args)).not.toContain('"k"');
  expect(specs[0]?.env).toMatchObject({ CURSOR_API_KEY: "k", NO_OPEN_BROWSER: "1" });
  expect(programs[0]).toMatchObject({ prompt: "Do it.", stdinClosed: true });
  programs[0]!.print(...streams["pieces"]!);
  await said("turn.ended");
  // The program does not exit after its turn, so Reins stops it.
  expect(programs[0]!.stops).toEqual([undefined]);
  await session.close();
  await read;
});

test("continues the conversation in another process with changed options", async () => {
  const { session, specs, programs, events, said } = await opened();
  await session.prompt({ text: "One." });
  await expect(session.prompt({ text: "Two." })).rejects.toMatchObject({ code: "session_busy" });
  programs[0]!.print(...streams["pieces"]!);
  await said("turn.ended");
  expect(session.state).toBe(`cursor:1:print:${chat}`);
  await session.configure({ model: "composer", mode: "read" });
  await session.prompt({ text: "Two." });
  expect(specs[1]?.args).toEqual(expect.arrayContaining(["--mode", "ask", "--model", "composer", "--resume", chat]));
  expect(specs[1]?.args).not.toContain("--force");
  programs[1]!.print(...streams["tools"]!);
  await said("turn.ended", 2);
  expect(events.filter(({ type }) => type === "session.started")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "process.exited")).toEqual([]);
});

test("ends the leg when a process dies, and resumes from its state later", async () => {
  const { session, programs, events, read } = await opened();
  await session.prompt({ text: "One." });
  programs[0]!.print(init(), piece("Half"));
  programs[0]!.exit({ signal: "SIGKILL" });
  await read;
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", error: { code: "agent_crashed" } });
  const next = await opened({ state: session.state });
  await next.session.prompt({ text: "Two." });
  expect(next.specs[0]?.args).toEqual(expect.arrayContaining(["--resume", chat]));
  next.programs[0]!.print(init(), result("Yes."));
  await next.said("turn.ended");
  expect(next.events[0]).toMatchObject({ type: "session.started", resumed: true, state: session.state });
});

test("ends the process of a cancelled turn and keeps the session", async () => {
  const { session, programs, events, said } = await opened();
  await session.cancel();
  await session.prompt({ text: "One." });
  programs[0]!.print(init(), piece("Half"));
  await said("message.delta");
  await session.cancel();
  await said("turn.ended");
  expect(programs[0]!.stops[0]).toEqual({ politely: false });
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  await session.prompt({ text: "Two." });
  programs[1]!.print(init(), result("Yes."));
  await said("turn.ended", 2);
});

test("stops a process that is cancelled while it starts", async () => {
  const late = Promise.withResolvers<Program>();
  const { session, said, events } = await opened({}, () => late.promise);
  const prompted = session.prompt({ text: "One." });
  await session.cancel();
  late.resolve(new Program());
  await prompted;
  await said("turn.ended");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
});

test("ends a turn cancelled while the previous process is ending, and starts none", async () => {
  const { session, programs, events, said } = await opened();
  await session.prompt({ text: "One." });
  const gone = Promise.withResolvers<never>();
  programs[0]!.stop = () => gone.promise;
  programs[0]!.print(...streams["pieces"]!);
  await said("turn.ended");
  const prompted = session.prompt({ text: "Two." });
  await session.cancel();
  await prompted;
  await said("turn.ended", 2);
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  expect(programs).toHaveLength(1);
});

test("ends the turn after an action that the mode forbids", async () => {
  const { session, programs, events, said } = await opened({ mode: "read" });
  await session.prompt({ text: "Look." });
  const edited = { success: { path: "/w/a", beforeFullFileContent: "x", afterFullFileContent: "y" } };
  programs[0]!.print(init(), ...call("e", "editToolCall", { path: "/w/a" }, edited));
  await said("turn.ended");
  expect(programs[0]!.stops[0]).toEqual({ politely: false });
  expect(events.at(-1)).toMatchObject({
    outcome: "failed",
    error: { code: "permission_denied", message: expect.stringContaining("Edit") },
  });
});

test("delays events of hooks until the program has introduced itself", async () => {
  const { session, programs, events, said } = await opened();
  const notice = { type: "notice", level: "info", code: "hooks", message: "Hooks." } as const;
  (session as PrintSession).say([notice]);
  session.answer("of-nobody", { decision: "deny" });
  await session.prompt({ text: "One." });
  programs[0]!.print(...streams["pieces"]!);
  await said("notice");
  expect(events[0]?.type).toBe("session.started");
  (session as PrintSession).say([notice]);
  await said("notice", 2);
});

test("reports a failed start and accepts the next prompt", async () => {
  let fails = true;
  const { session } = await opened({}, () =>
    fails ? Promise.reject(new Error("no")) : Promise.resolve(new Program()),
  );
  await expect(session.prompt({ text: "One." })).rejects.toThrow("no");
  fails = false;
  await session.prompt({ text: "One." });
});

test("passes images as files that are removed with the session, and texts before the prompt", async () => {
  const { session, specs, programs } = await opened();
  const data = Buffer.from("\x89PNG\r\n\x1a\nxx", "latin1").toString("base64");
  await session.prompt({ text: "Look.", attachments: [{ kind: "image", mediaType: "image/png", data }] });
  const image = specs[0]!.args[specs[0]!.args.indexOf("--image") + 1]!;
  expect(readFileSync(image).toString("base64")).toBe(data);
  expect(programs[0]!.prompt).toBe("Look.");
  await session.close();
  expect(() => readFileSync(image)).toThrow("ENOENT");
  await expect(session.prompt({ text: "More." })).rejects.toMatchObject({ code: "invalid_input" });
});

test.for([
  "cursor:1:nonsense",
  "cursor:2:print:abc",
  "codex:1:abc",
  "cursor:1:print:--force",
  "cursor:1:acp:never-held",
])("rejects the state %s", async (state) => {
  await expect(opened({ state })).rejects.toMatchObject({ code: "session_not_found" });
});

test("rejects arguments that cannot be passed on before anything starts", async () => {
  await expect(opened({ extraArgs: ["--api-key", "k"] })).rejects.toMatchObject({ code: "invalid_input" });
});

test("starts the program ahead and sends nothing before everything is ready", async () => {
  const written: string[] = [];
  class Program extends StandInProgram {
    override write(text: string): Promise<void> {
      written.push(text);
      return Promise.resolve();
    }
  }
  const child = new Program();
  const context = agentContext({ processes: child.processes, env: { REINS_CURSOR_HOOKS: "off" } });
  const options = { sessionId: "s", cwd: tmpdir(), mode: "full" } as const;
  const session = await openPrint(context, options, { path: "agent", args: [] });
  const ready = Promise.withResolvers<void>();
  const taken = session.prompt({ text: "Go." }, ready.promise);
  await expect.poll(() => child.launched.length).toBe(1);
  expect([session.startsAhead, written, child.stdinClosed]).toEqual([true, [], false]);
  ready.resolve();
  await taken;
  expect([written, child.stdinClosed]).toEqual([["Go."], true]);
  child.exit();
  await session.close();
});
