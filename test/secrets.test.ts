/** Sends one secret of the environment through every path and checks that it comes out nowhere. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ReinsOptions, Session } from "../src/core/api.ts";
import { createReins } from "../src/core/reins.ts";
import type { ReinsEvent } from "../src/events/types.ts";
import { exportFormats, exportSession } from "../src/view/index.ts";
import { standIn, type StandInOptions } from "./stand-ins/stand-in.ts";
import { streamJsonReplies } from "./stand-ins/stream-json.ts";
import { BadAgent, whole } from "./support/bad-agent.ts";
import { Place } from "./support/command.ts";
import { processesOf, sweep } from "./support/leftovers.ts";

const canary = "Canary-5fd2c0ffee91a7b3";
const secretEnv = { SOME_API_KEY: canary };
const redacted = "[redacted]";

let home: string;
let cwd: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "reins-secrets-"));
  cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "secret.txt"), `key=${canary}\n`);
});
afterEach(() => sweep(home));

/** Checks for the whole secret and for its larger part, which a cut might leave. */
function expectClean(what: string, shown: unknown): void {
  const text = typeof shown === "string" ? shown : inspect(shown, { depth: 20, maxStringLength: null });
  for (const part of [canary.slice(0, -4), canary.slice(4)]) {
    const at = text.indexOf(part);
    if (at >= 0) expect.fail(`${what} shows the secret: ${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
}

function open(options: ReinsOptions = {}) {
  return createReins({ env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home, ...secretEnv }, ...options });
}

/** The arguments and variables of all processes of a home, and its ledgers. */
function traces(of: string): string {
  const ledgers = readdirSync(join(of, "run")).map((name) => readFileSync(join(of, "run", name), "utf8"));
  const commands = processesOf(of).flatMap((pid) =>
    ["cmdline", "environ"].map((file) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, "latin1");
      } catch {
        return "";
      }
    }),
  );
  expect(commands.length).toBeGreaterThan(2);
  expect(ledgers).not.toEqual([]);
  return [...commands, ...ledgers].join("\n");
}

test("the demo agent: prompts, tools, files, questions, permissions, errors", async () => {
  await using reins = open();
  const asked: unknown[] = [];
  const session = await reins.session({
    agent: "demo",
    cwd,
    onPermission: (request) => {
      asked.push(request);
      return "allow";
    },
    onQuestion: (request) => {
      asked.push(request);
      return { answer: canary };
    },
  });
  const prompts = [
    `say ${canary}; think ${canary}; ask ${canary}?`,
    "read secret.txt",
    `write ${canary}.txt ${canary}; read ${canary}.txt; edit ${canary}.txt ${canary} -> my ${canary}; list`,
    `write out.txt ${canary}`,
    "run cat secret.txt",
    "run sh -c 'cat secret.txt >&2; exit 3'",
    `run ${canary}; read ../${canary}; read no-${canary}`,
    `subagent "say ${canary}; read secret.txt"`,
    `dance ${canary}; say on`,
    `what about ${canary}?`,
    `fail ${canary}`,
  ];
  for (const prompt of prompts) {
    const turn = session.prompt(prompt);
    for await (const event of turn) expectClean(prompt, event);
    expectClean(prompt, await turn.result);
  }
  // Prompts that are cut inside the secret.
  for (const before of [51_173, 51_176, 51_177, 51_192])
    await session.prompt(`say ${"x".repeat(before)}${canary}`).result;
  expect(asked.length).toBeGreaterThan(5);
  expectClean("what a person is asked", asked);
  const events = await whole(session);
  expectClean("the events", events);
  expect(JSON.stringify(events).split(redacted).length).toBeGreaterThan(40);
  for (const format of exportFormats) {
    let exported = "";
    for await (const piece of exportSession(batchesOf(events), { format, thoughts: true })) exported += piece;
    expectClean(`the export as ${format}`, exported);
    expect(exported).toMatch(/\\?\[redacted\\?\]/);
  }
  // Secrets are removed from the events, not from the agent's actions.
  expect(readFileSync(join(cwd, "out.txt"), "utf8")).toContain(canary);
});

async function* batchesOf(events: readonly ReinsEvent[]) {
  yield events;
}

test("the errors of refused calls", async () => {
  await using reins = open();
  const refused = [
    { agent: canary },
    { model: canary },
    { agent: "demo", model: canary },
    { agent: "demo", mode: canary as never },
    { agent: "demo", cwd: join(cwd, canary) },
    { agent: "demo", resume: `demo:${canary}` },
    { resume: canary },
  ];
  for (const options of refused) {
    const what = `a refusal because of ${Object.keys(options).join()}`;
    expectClean(what, await rejection(reins.session({ cwd, ...options })));
    expectClean(what, await rejection(reins.run("say hi", { cwd, ...options }).result));
  }
  mkdirSync(join(cwd, ".reins"));
  writeFileSync(join(cwd, ".reins", "config.json"), `{ "${canary}": "${canary}" }`);
  expectClean("a configuration", await rejection(reins.session({ agent: "demo", cwd })));
});

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("The call was not refused."),
    (thrown: unknown) => thrown,
  );
}

/** An agent that sends the secret in every field. */
const talkative: StandInOptions = {
  stderr: `using key ${canary}\n`,
  replies: streamJsonReplies.map((reply) =>
    reply.turn === true ? { ...reply, print: everywhere(reply.print) } : reply,
  ),
};

function everywhere(print: readonly unknown[]): unknown[] {
  const [init, , result] = print as Record<string, unknown>[];
  const session_id = init!["session_id"];
  const stream = (event: object) => ({ type: "stream_event", event, parent_tool_use_id: null, session_id });
  const delta = (text: string) =>
    stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  const assistant = (id: string, ...content: object[]) => ({
    type: "assistant",
    message: { id, role: "assistant", model: canary, content },
    parent_tool_use_id: null,
    session_id,
  });
  const input = { command: `echo ${canary}`, description: canary };
  return [
    { ...init, model: canary, tools: [canary], cwd: `/${canary}`, slash_commands: [canary] },
    stream({ type: "message_start", message: { id: "m1", role: "assistant", content: [] } }),
    stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...`it is ${canary} in pieces`.match(/.{1,3}/g)!.map(delta),
    stream({ type: "content_block_stop", index: 0 }),
    assistant("m1", { type: "text", text: `it is ${canary} in pieces` }),
    assistant("m2", { type: "thinking", thinking: `I think ${canary}` }),
    assistant("m3", { type: "tool_use", id: "t1", name: "Bash", input }),
    assistant("m4", { type: "tool_use", id: "t2", name: `mcp__${canary}__look`, input: { [canary]: [canary] } }),
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: `out ${canary}`, is_error: false }],
      },
      parent_tool_use_id: null,
      session_id,
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t2", content: `bad ${canary}`, is_error: true }],
      },
      parent_tool_use_id: null,
      session_id,
    },
    { type: canary, text: canary },
    `no JSON: ${canary}`,
    {
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      max_retries: 2,
      error: canary,
      error_message: canary,
      session_id,
    },
    { ...result, subtype: "error_during_execution", is_error: true, result: canary, errors: [`failed with ${canary}`] },
  ];
}

async function converse(agent: BadAgent): Promise<Session> {
  const session = await agent.session({
    raw: true,
    systemPrompt: { text: `Never say ${canary}.`, how: "append" },
    mcpServers: { files: { command: "files", args: [canary], env: { TOKEN: canary } } },
  });
  await session.prompt(`use ${canary}`).result;
  return session;
}

test("Claude Code: all events, its stderr, its arguments, the ledger, and recordings of its wire", async () => {
  await using agent = new BadAgent("good", { ...talkative, env: secretEnv });
  const session = await converse(agent);
  expectClean("a process or a ledger", traces(agent.home));
  const events = await whole(session);
  expectClean("the events", events);
  expect(events.find((event) => event.type === "process.exited")?.stderrTail).toBe(`using key ${redacted}\n`);
  expect(JSON.stringify(events).split(redacted).length).toBeGreaterThan(20);
  const recordings = await agent.recordings();
  expectClean("the recordings", recordings);
  expect(recordings[0]?.meta?.stderr).toContain(redacted);
});

test("a failing Claude Code: its last words", async () => {
  const refusing = {
    on: '"initialize"',
    print: [
      {
        type: "control_response",
        response: { subtype: "error", request_id: "$id", error: `not with ${canary}`, error_code: canary },
      },
    ],
  };
  await using refuses = new BadAgent("good", { replies: [refusing], env: secretEnv });
  expectClean("a refusal", await rejection(refuses.session()));
  await using exits = new BadAgent("exits", { code: 3, stderr: `no such key: ${canary}`, env: secretEnv });
  const error = await rejection(exits.session());
  expect(error).toMatchObject({ message: expect.stringContaining(redacted) });
  expectClean("an exit", error);
  await using crashes = new BadAgent("crashes-mid-turn", { ...talkative, env: secretEnv });
  const session = await crashes.session();
  expectClean("a crash", await session.prompt("hello").result);
  expectClean("the events", await whole(session));
});

test("the command: stdout, stderr, --json, --raw, and its errors", async () => {
  using place = new Place();
  writeFileSync(join(place.cwd, "secret.txt"), canary);
  const claude = standIn("good", { folder: place.home, ...talkative });
  const env = { ...secretEnv, REINS_CLAUDE_COMMAND: claude };
  const demo = `say ${canary}; think ${canary}; read secret.txt; run cat secret.txt; write a.txt ${canary}; fail ${canary}`;
  const runs: [string[], string?][] = [
    [["run", "-a", "demo", "--mode", "full"], demo],
    [["run", "-a", "demo", "--mode", "full", "--json"], demo],
    [["run", "-a", "demo"], demo],
    [["run", "-a", "claude"], `use ${canary}`],
    [["run", "-a", "claude", "--json", "--raw"], `use ${canary}`],
    [["run", "-a", canary, "hi"]],
    [["run", "-m", canary, "hi"]],
    [["run", "--cwd", canary, "-a", "demo", "hi"]],
    [["run", `--${canary}`]],
    [[canary]],
    [["run", "-a", "demo", "--file", canary, "hi"]],
    [["agents"]],
  ];
  const results = await Promise.all(
    runs.map(async ([args, input]) => place.run(args, input === undefined ? { env } : { input, env })),
  );
  for (const [index, result] of results.entries()) {
    const [args] = runs[index]!;
    expect(result.stdout + result.stderr).not.toBe("");
    expectClean(`stdout of ${args.slice(0, 4).join(" ")}`, result.stdout);
    expectClean(`stderr of ${args.slice(0, 4).join(" ")}`, result.stderr);
  }
}, 60_000);
