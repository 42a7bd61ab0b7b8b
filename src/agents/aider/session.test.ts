import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { marked, temporaryFolder, until } from "../../../test/support/processes.ts";
import type { Session, SessionOptions, TurnResult } from "../../core/api.ts";
import { createReins } from "../../core/reins.ts";
import type { EventOf, ReinsEvent } from "../../events/types.ts";
import { rulesFrom } from "./session.ts";

const standIn = fileURLToPath(new URL("../../../test/stand-ins/aider.ts", import.meta.url));

interface Opened {
  readonly session: Session;
  readonly cwd: string;
}

async function open(options: SessionOptions = {}, variables: Record<string, string> = {}): Promise<Opened> {
  const folder = temporaryFolder();
  const env = {
    ...{ PATH: process.env["PATH"] ?? "", HOME: folder.path, REINS_HOME: join(folder.path, "reins") },
    REINS_AIDER_COMMAND: JSON.stringify([process.execPath, standIn]),
    ...variables,
  };
  const reins = createReins({ env, guardian: false });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const asked = Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith("STAND_IN")));
  const session = await reins.session({
    agent: "aider",
    mode: "edits",
    attended: true,
    cwd: folder.path,
    env: asked,
    ...options,
  });
  return { session, cwd: folder.path };
}

interface TurnReport {
  readonly events: readonly ReinsEvent[];
  readonly result: TurnResult;
}

type Asking = EventOf<"permission.requested"> | EventOf<"question.requested">;

/** The person's answer to a request, by its text: a decision on a call, or the label of a choice. */
type Person = (words: string, event: Asking) => string | undefined;

async function turn(session: Session, prompt: string, person: Person = () => undefined): Promise<TurnReport> {
  const running = session.prompt(prompt);
  const events: ReinsEvent[] = [];
  for await (const event of running) {
    events.push(event);
    if (event.type === "permission.requested") {
      const answer = person(event.title, event);
      if (answer !== undefined) running.answer(event.requestId, { decision: answer as "allow" | "deny" });
    } else if (event.type === "question.requested") {
      const answer = person(event.questions[0]!.text, event);
      if (answer !== undefined)
        running.answer(event.requestId, { decision: "answer", answers: { [event.questions[0]!.id]: answer } });
    }
  }
  return { events, result: await running.result };
}

function of<Type extends ReinsEvent["type"]>(events: readonly ReinsEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

test("reports the text between the prompt and the next ready state as the answer", async () => {
  const { session } = await open();
  const first = await turn(session, "say hello there");
  expect(first.result).toMatchObject({ outcome: "done", text: "hello there\n\nTokens: 1.2k sent, 34 received.\n" });
  const second = await turn(session, "say again");
  expect(second.result.text).toMatch(/^again\n/);
  expect(of(second.events, "message.completed")).toHaveLength(1);
});

test("sends several lines, braces, tabs and control characters as text, never as keys or commands", async () => {
  const { session } = await open();
  const several = await turn(session, "count one\n  two\n\n}\nlast\u0003\u0004\u001b[A\tend");
  expect(several.result.text).toContain('5 lines, "one\\n  two\\n\\n}\\nlast[A    end"');
  const brace = await turn(session, "{tag");
  expect(brace.result.text).toContain('You said "{tag"');
  const command = await turn(session, "!rm -rf /");
  expect(command.result.text).toContain('You said " !rm -rf /"');
  expect(of(command.events, "notice")).toMatchObject([{ code: "divergence" }]);
  expect((await turn(session, "/run ls")).result.text).toContain('You said " /run ls"');
  expect((await turn(session, "/add file.ts")).result.text).toContain("COMMAND /add file.ts");
  const long = await turn(session, "x".repeat(5_000));
  expect(long.result).toMatchObject({ outcome: "failed", error: { code: "invalid_input" } });
  expect((await turn(session, "say still here")).result.text).toContain("still here");
});

test("asks about a shell command in mode edits: allowed, denied, and without an answer", async () => {
  const { session } = await open();
  const seen: string[] = [];
  const { events } = await turn(session, "run make it", (words) => {
    seen.push(words);
    return words.includes("make it") ? "allow" : "No";
  });
  expect(seen).toEqual(["Run shell command?: make it", "Running make it\nits output\nAdd command output to the chat?"]);
  expect(of(events, "tool.started")).toMatchObject([{ tool: "other", input: { description: "make it" } }]);
  expect(of(events, "tool.completed")[0]?.output.text).toContain("its output");
  const denied = await turn(session, "run rm", (words) => (words.includes("rm") ? "deny" : "No"));
  expect(of(denied.events, "tool.failed")).toMatchObject([{ reason: "denied" }]);
  expect(denied.result.text).not.toContain("Running");
});

test("allows a new file inside the folder in mode edits, and asks outside", async () => {
  const { session, cwd } = await open();
  await turn(session, "create inside.txt");
  expect(existsSync(join(cwd, "inside.txt"))).toBe(true);
  const outside = join(cwd, "..", `outside-${process.pid}.txt`);
  const asked: string[] = [];
  const { result } = await turn(session, `create ${outside}`, (words) => {
    asked.push(words);
    return "deny";
  });
  expect(asked).toHaveLength(1);
  expect(existsSync(outside)).toBe(false);
  expect(result.text).toContain("Skipping edits");
});

test.each(["edits", "full"] as const)("never accepts an update in mode %s without a person", async (mode) => {
  const { session } = await open({ mode }, { STAND_IN_ASKS: "update,gitignore" });
  const asked: string[] = [];
  const { result } = await turn(session, "say started", (words, { type }) => {
    asked.push(`${type} ${words}`);
    return "No";
  });
  expect(asked).toEqual([
    expect.stringMatching(/^question\.requested .*pip install --upgrade aider-chat\nRun pip install\?$/s),
    expect.stringMatching(/^question\.requested [^/]*\nAdd \.aider\* to \.gitignore \(recommended\)\?$/s),
  ]);
  expect(result.text).toMatch(/^started\n/);
});

test("declines an update without an answer, and ends when a person accepts it", async () => {
  const unattended = await open({ mode: "full" }, { STAND_IN_ASKS: "update" });
  const running = unattended.session.prompt("say later");
  for await (const event of running)
    if (event.type === "question.requested") running.answer(event.requestId, { decision: "skip" });
  expect(await running.result).toMatchObject({ outcome: "done", text: expect.stringMatching(/^later\n/) as unknown });
  const accepted = await open({ mode: "full" }, { STAND_IN_ASKS: "update" });
  const { result } = await turn(accepted.session, "say never", () => "Yes");
  expect(result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
});

test("allows calls in mode full, but asks a person an unknown question", async () => {
  const { session } = await open({ mode: "full" });
  const asked: string[] = [];
  const { result } = await turn(session, "odd", (words) => {
    asked.push(words);
    return "No";
  });
  expect(asked).toEqual(["two\nlines\nDrop all of it and start again?"]);
  expect(result.text).toContain("kept");
  const run = await turn(session, "run make", (_, { type }) => (type === "question.requested" ? "No" : undefined));
  expect(of(run.events, "permission.resolved")).toMatchObject([{ outcome: "allowed", by: "policy" }]);
  expect(of(run.events, "tool.completed")[0]?.output.text).toContain("Running make");
});

test("continues the session after a cancel during work and during a question", async () => {
  const { session } = await open();
  const hanging = session.prompt("hang");
  for await (const event of hanging) if (event.type === "message.delta") void session.cancel();
  expect((await hanging.result).outcome).toBe("cancelled");
  const asking = session.prompt("run something");
  for await (const event of asking) if (event.type === "permission.requested") void session.cancel();
  expect((await asking.result).outcome).toBe("cancelled");
  expect((await turn(session, "say here")).result.text).toContain("here");
});

test("fails the turn on a failure of the service, unless it recovers", async () => {
  const { session } = await open();
  expect((await turn(session, "recover")).result).toMatchObject({ outcome: "done" });
  expect((await turn(session, "fail")).result).toMatchObject({
    outcome: "failed",
    error: { code: "not_authenticated", agent: "aider" },
  });
});

test("reports the last words of a program that dies, in a turn or at start", async () => {
  const { session } = await open();
  const died = await turn(session, "die 3");
  expect(died.result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  expect(JSON.stringify(died.events)).toContain("about to end");
  const broken = await open({}, { STAND_IN_ASKS: "fails" });
  const { result } = await turn(broken.session, "say x");
  expect(result.error?.message).toContain("Unknown which environment variables are required");
});

test("reads a flood completely, is not fooled by prompt-like text, and ignores escape sequences", async () => {
  const { session } = await open();
  const { events } = await turn(session, "flood 20000");
  // The core keeps the beginning of such a long text and counts the rest: 20,000 lines, a blank one and the last.
  const bytes = "flood of lines\n".length * 20_000 + "\nTokens: 1.2k sent, 34 received.\n".length;
  expect(of(events, "message.completed")).toMatchObject([{ bytes }]);
  expect((await turn(session, "spoof")).result.text).toContain("before\n> quoted\nafter\n");
  expect((await turn(session, "escape")).result.text).toMatch(/^abc\n/);
});

test("leaves nothing after close", async () => {
  const { session } = await open();
  await turn(session, "say hello");
  await session.close();
  await until(() => marked(session.id).length === 0, "the end of the program");
});

test("accepts changed rules from a file, and explains an invalid file in one sentence", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "rules.json");
  writeFileSync(file, JSON.stringify({ quietMs: 10, input: { longestLine: 10 } }));
  const changed = await rulesFrom({ REINS_AIDER_RULES: file });
  expect([changed.quietMs, changed.input.longestLine, changed.input.submit]).toEqual([10, 10, "\r"]);
  for (const [content, said] of [
    ["[]", "is not an object"],
    ['{"nonsense":1}', "nonsense is unknown"],
    ['{"input":{"submit":3}}', "input.submit has the wrong type"],
    ['{"ready":"("}', "is not a valid pattern"],
    ['{"questions":[{"when":"x","choices":[]}]}', "one that means no"],
  ] as const) {
    writeFileSync(file, content);
    await expect(rulesFrom({ REINS_AIDER_RULES: file })).rejects.toThrow(said);
  }
  await expect(rulesFrom({ REINS_AIDER_RULES: "/nowhere" })).rejects.toThrow("cannot be read");
});
