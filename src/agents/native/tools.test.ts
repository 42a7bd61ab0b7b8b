/** Each tool through a complete call, without a model. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Drive, only, type Replies } from "../../../test/support/drive.ts";
import { nativePlace } from "../../../test/support/native.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { AgentSession, OpenOptions } from "../contract.ts";
import { contextFor, firstTurn } from "./launch.ts";
import { toolsFor } from "./tools.ts";
import { useTool } from "./use-tool.ts";

interface Made {
  readonly events: readonly AgentEvent[];
  readonly asked: readonly AgentEventOf<"permission.requested">[];
  readonly text: string;
  readonly failed: boolean;
}

/** A folder `work` to work in, beside a file that must not be touched. */
async function stage(options: Partial<OpenOptions> = {}, env: Record<string, string> = {}) {
  const { context: host, cwd, home } = await nativePlace({ env });
  writeFileSync(join(home, "secret.txt"), "secret\n");
  const context = await contextFor(host, { sessionId: "ses_1", cwd, mode: "ask", ...options }, { tools: [] });
  const answer: AgentSession["answer"] = (id, given) => void context.requests.answer(id, given);
  const drive = new Drive({ events: context.outbox, answer } as unknown as AgentSession, {
    cwd,
    mode: "ask",
    ...options,
  });
  const call = async (toolName: string, input: unknown, replies: Replies = {}): Promise<Made> => {
    const turn = firstTurn(context);
    const used = useTool(turn, toolsFor(turn), { toolCallId: "c", toolName, input });
    const events = await drive.until(({ type }) => type === "tool.completed" || type === "tool.failed", {
      permission: { decision: "allow" },
      ...replies,
    });
    return { events, asked: only(events, "permission.requested"), ...(await used) };
  };
  return { cwd, home, context, call, write: (name: string, text: string) => writeFileSync(join(cwd, name), text) };
}

const full = { mode: "full" } as const;

describe("read", () => {
  test("returns a file, or the requested lines", async () => {
    const { call, write } = await stage();
    write("a.txt", "one\ntwo\nthree\nfour");
    expect((await call("read", { path: "a.txt" })).text).toBe("one\ntwo\nthree\nfour");
    expect((await call("read", { path: "./a.txt", line: 2, lines: 2 })).text).toBe("two\nthree\n");
    expect((await call("read", { path: "a.txt", line: 9 })).text).toBe("");
  });

  test("keeps the beginning of a long file and says so", async () => {
    const { call, write, context } = await stage();
    write("long.txt", "üx\n".repeat(40_000));
    const { events, text } = await call("read", { path: "long.txt" });
    const [{ output }] = only(events, "tool.completed") as [AgentEventOf<"tool.completed">];
    expect(output.bytes).toBe(160_000);
    expect(output.kept).toBeLessThanOrEqual(context.host.limits.inlineBytes);
    expect(text).toContain("(cut: there are 160000 bytes)");
    expect(text).not.toContain("\ufffd");
  });

  test.each([
    ["a missing file", "no.txt", /ENOENT/],
    ["a folder", "folder", /is a folder/],
    ["a file that is not text", "binary", /not a text file/],
    ["a zero byte", "a\0b", /NUL characters/],
  ])("fails the call for %s", async (_name, path, message) => {
    const { call, write, cwd } = await stage();
    mkdirSync(join(cwd, "folder"));
    write("binary", "a\0b");
    const { failed, text, events } = await call("read", { path });
    expect({ failed, text }).toMatchObject({ failed: true, text: expect.stringMatching(message) as string });
    expect(only(events, "tool.failed")).toMatchObject([{ reason: "error" }]);
  });
});

describe("outside the workspace", () => {
  test("asks about reading by path, by dots and by a link", async () => {
    const { call, cwd, home } = await stage();
    symlinkSync(join(home, "secret.txt"), join(cwd, "link"));
    for (const path of [join(home, "secret.txt"), "../secret.txt", "link"]) {
      const { asked, text } = await call("read", { path });
      expect(asked).toHaveLength(1);
      expect(text).toBe("secret\n");
      const denied = await call("read", { path }, { permission: { decision: "deny" } });
      expect(denied).toMatchObject({ failed: true, text: "It was not allowed." });
    }
  });

  test("treats a further folder as inside", async () => {
    const { home } = await stage();
    const { call } = await stage({ directories: [home] });
    const { asked, text } = await call("read", { path: join(home, "secret.txt") });
    expect(asked).toEqual([]);
    expect(text).toBe("secret\n");
  });

  test("does not touch a path that became a link out after it was allowed", async () => {
    const { call, cwd, home } = await stage();
    mkdirSync(join(cwd, "folder"));
    const swap = () => {
      rmSync(join(cwd, "folder"), { recursive: true });
      symlinkSync(home, join(cwd, "folder"));
      return { decision: "allow" as const };
    };
    const { failed, text } = await call("write", { path: "folder/secret.txt", content: "gone" }, { permission: swap });
    expect({ failed, text }).toEqual({ failed: true, text: "folder/secret.txt is outside the workspace." });
    expect(readFileSync(join(home, "secret.txt"), "utf8")).toBe("secret\n");
  });

  test("does not write through a dangling link", async () => {
    const { call, cwd, home } = await stage(full);
    symlinkSync(join(home, "new.txt"), join(cwd, "link"));
    expect((await call("write", { path: "link", content: "x" })).failed).toBe(true);
    expect(existsSync(join(home, "new.txt"))).toBe(false);
  });
});

describe("write, edit, move and delete", () => {
  test("report the change with the diff", async () => {
    const { call, cwd } = await stage();
    const written = await call("write", { path: "deep/a.txt", content: "one\n" });
    expect(written.asked[0]?.diff).toContain("+one");
    expect(only(written.events, "file.changed")).toMatchObject([
      { path: "deep/a.txt", op: "create", added: 1, removed: 0 },
    ]);
    const edited = await call("edit", { path: join(cwd, "deep/a.txt"), from: "one", to: "$& two" });
    expect(only(edited.events, "file.changed")).toMatchObject([
      { path: "deep/a.txt", op: "modify", added: 1, removed: 1 },
    ]);
    expect(readFileSync(join(cwd, "deep/a.txt"), "utf8")).toBe("$& two\n");
    const moved = await call("move", { path: "deep/a.txt", to: "b/c.txt" });
    expect(only(moved.events, "file.changed")).toMatchObject([{ path: "b/c.txt", op: "move", oldPath: "deep/a.txt" }]);
    const deleted = await call("delete", { path: "b/c.txt" });
    expect(only(deleted.events, "file.changed")).toMatchObject([{ path: "b/c.txt", op: "delete", removed: 1 }]);
    expect(existsSync(join(cwd, "b/c.txt"))).toBe(false);
  });

  test.each([
    ["edit", { path: "a.txt", from: "x", to: "y" }, /does not contain/],
    ["edit", { path: "a.txt", from: "one", to: "y" }, /contains that text 2 times/],
    ["edit", { path: "a.txt", from: "", to: "y" }, /from must not be empty/],
    ["edit", { path: "no.txt", from: "a", to: "b" }, /There is no file no\.txt/],
    ["write", { path: "a.txt" }, /content is missing/],
    ["write", { path: 7, content: "" }, /path must be a text/],
    ["write", "not an object", /must be an object/],
    ["move", { path: "a.txt", to: "b.txt" }, /b\.txt is there already/],
    ["move", { path: "folder", to: "other" }, /Only a file/],
    ["delete", { path: "no.txt" }, /There is no file/],
    ["delete", { path: "folder" }, /is a folder/],
    ["edit", { path: "binary", from: "a", to: "b" }, /not a text file/],
  ])("changes nothing for %s of %j and says why", async (name, input, message) => {
    const { call, write, cwd } = await stage(full);
    mkdirSync(join(cwd, "folder"));
    write("a.txt", "one and one");
    write("b.txt", "b");
    write("binary", "a\0");
    const { failed, text, events } = await call(name, input);
    expect({ failed, text }).toMatchObject({ failed: true, text: expect.stringMatching(message) as string });
    expect(only(events, "file.changed")).toEqual([]);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one and one");
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("b");
  });

  test("replace everywhere on request", async () => {
    const { call, write, cwd } = await stage(full);
    write("a.txt", "one and one");
    await call("edit", { path: "a.txt", from: "one", to: "two", all: true });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two and two");
  });

  test("delete a link itself, and keep its target", async () => {
    const { call, cwd, home } = await stage(full);
    symlinkSync(join(home, "secret.txt"), join(cwd, "link"));
    expect((await call("delete", { path: "link" })).failed).toBe(false);
    expect(() => lstatSync(join(cwd, "link"))).toThrow(/ENOENT/);
    expect(existsSync(join(home, "secret.txt"))).toBe(true);
  });

  test("run ordinary edits without asking in mode edits, and ask about hidden files", async () => {
    const { call } = await stage({ mode: "edits" });
    expect((await call("write", { path: "a.txt", content: "x" })).asked).toEqual([]);
    expect((await call("write", { path: ".git/hooks/pre-commit", content: "x" })).asked).toHaveLength(1);
  });

  test("offer always for ordinary edits only, and ask about each unusual one", async () => {
    const { call, home } = await stage();
    const always: Replies = { permission: { decision: "allow", always: true } };
    expect((await call("write", { path: "a.txt", content: "x" }, always)).asked).toHaveLength(1);
    expect((await call("edit", { path: "a.txt", from: "x", to: "y" })).asked).toEqual([]);
    expect((await call("write", { path: ".env", content: "x" }, always)).asked).toHaveLength(1);
    expect((await call("write", { path: ".env", content: "y" })).asked).toEqual([]);
    expect((await call("write", { path: ".other", content: "x" })).asked).toHaveLength(1);
    expect((await call("write", { path: join(home, "b.txt"), content: "x" })).asked).toHaveLength(1);
  });

  test("run a changed input, which is checked like any other", async () => {
    const { call, cwd } = await stage();
    const changed = (changedInput: unknown): Replies => ({ permission: { decision: "allow", changedInput } });
    const { events } = await call("write", { path: "a.txt", content: "x" }, changed({ path: "b.txt", content: "y" }));
    expect(only(events, "tool.progress")).toMatchObject([{ title: "Write b.txt" }]);
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
    expect((await call("write", { path: "a.txt", content: "x" }, changed({ nonsense: true }))).failed).toBe(true);
  });
});

describe("list, glob and grep", () => {
  test("find what is there, and follow no link out", async () => {
    const { call, write, cwd, home } = await stage();
    mkdirSync(join(cwd, "src/deep"), { recursive: true });
    mkdirSync(join(cwd, "node_modules"));
    write("src/deep/a.ts", "const needle = 1;\n");
    write("src/b.js", "needle\n");
    write("node_modules/c.ts", "needle\n");
    symlinkSync(home, join(cwd, "out"));
    expect((await call("list", {})).text).toBe("node_modules/\nout\nsrc/");
    expect((await call("list", { path: "src" })).text).toBe("b.js\ndeep/");
    expect((await call("glob", { pattern: "**/*.{ts,js}" })).text).toBe("src/b.js\nsrc/deep/a.ts");
    expect((await call("glob", { pattern: "*.ts", path: "src/deep" })).text).toBe("src/deep/a.ts");
    expect((await call("glob", { pattern: "**/secret*" })).text).toBe("Nothing matches.");
    expect((await call("grep", { pattern: "need(le|ed)" })).text.split("\n").sort()).toEqual([
      "src/b.js:1:needle",
      "src/deep/a.ts:1:const needle = 1;",
    ]);
    expect((await call("grep", { pattern: "NEEDLE", files: "*.js", ignore_case: true })).text).toBe(
      "src/b.js:1:needle",
    );
    expect((await call("grep", { pattern: "secret" })).text).toBe("Nothing matches.");
    expect((await call("grep", { pattern: "needle", path: "src/b.js" })).text).toBe("src/b.js:1:needle");
  });

  test("explain an invalid expression, and search for one that looks like an option", async () => {
    const { call, write } = await stage();
    write("a.txt", "-v --help\n");
    expect(await call("grep", { pattern: "(" })).toMatchObject({ failed: true });
    expect((await call("grep", { pattern: "--help" })).text).toBe("a.txt:1:-v --help");
  });
});

describe("shell", () => {
  test("reports both outputs in order, and how the command ended", async () => {
    const { call, cwd } = await stage(full);
    const { events, text } = await call("shell", { command: "echo one; echo two >&2; pwd; exit 3" });
    expect(text).toBe(`one\ntwo\n${cwd}\n\n(exit code 3)`);
    expect(only(events, "tool.completed")).toMatchObject([{ exitCode: 3 }]);
    expect(
      only(events, "tool.progress")
        .map(({ output }) => output)
        .join(""),
    ).toBe(`one\ntwo\n${cwd}\n`);
  });

  test("passes no key to a model, not even one of the session's variables", async () => {
    const key = { OPENAI_API_KEY: "canary-in-the-session" };
    const { call } = await stage({ ...full, env: { ...key, ADDED: "yes" } }, { REINS_NATIVE_KEY: "canary-of-reins" });
    const { text } = await call("shell", { command: "env" });
    expect(text).toContain("ADDED=yes");
    expect(text).not.toMatch(/canary|API_KEY/);
  });

  test("ends a command at its time limit and keeps its output", async () => {
    const { call } = await stage(full);
    const { events, text } = await call("shell", { command: "echo begun; sleep 100", seconds: 1 });
    expect(only(events, "tool.failed")).toMatchObject([{ reason: "timeout" }]);
    expect(text).toContain("begun");
  });

  test("offers always for exactly this line", async () => {
    const { call } = await stage();
    expect(
      (await call("shell", { command: "true" }, { permission: { decision: "allow", always: true } })).asked,
    ).toHaveLength(1);
    expect((await call("shell", { command: "true" })).asked).toEqual([]);
    expect((await call("shell", { command: "true; touch x" })).asked).toHaveLength(1);
  });

  test("reports a command that a signal ends as an error", async () => {
    const { call } = await stage(full);
    expect((await call("shell", { command: "kill -9 $$" })).text).toBe("It was ended by SIGKILL.");
  });
});

describe("other tools", () => {
  test("plan shows the list and rejects unknown statuses", async () => {
    const { call } = await stage();
    const entries = [
      { text: "One", status: "completed" },
      { text: "Two", status: "pending" },
    ];
    expect(only((await call("plan", { entries })).events, "plan.updated")).toMatchObject([{ entries }]);
    expect((await call("plan", { entries: [{ text: "One", status: "soon" }] })).text).toContain(
      "status must be one of",
    );
  });

  test("question returns the answer, or says that there is none", async () => {
    const { call } = await stage();
    const input = { question: "Which?", choices: ["Red", "Blue"], multiple: true };
    const answered: Replies = { question: { decision: "answer", answers: { answer: ["Red", "Blue"] } } };
    expect((await call("question", input, answered)).text).toBe("Red, Blue");
    const skipped: Replies = { question: { decision: "skip", message: "Nobody is there." } };
    expect((await call("question", input, skipped)).text).toBe("Nobody is there.");
  });

  test("web_fetch asks, says when an address is private, and accepts only web addresses", async () => {
    const { call } = await stage();
    const { asked } = await call("web_fetch", { url: "http://127.0.0.1:1/" }, { permission: { decision: "deny" } });
    expect(asked).toMatchObject([{ reason: expect.stringContaining("this machine") as string }]);
    expect((await call("web_fetch", { url: "file:///etc/passwd" })).text).toContain("url must begin with http");
  });

  test("propose_plan exists only in plan mode, and an approval ends the mode", async () => {
    const { call } = await stage();
    expect(await call("propose_plan", { plan: "# Plan" })).toMatchObject({ failed: true });
    const planning = await stage({ mode: "plan" });
    const rejected = await planning.call("propose_plan", { plan: "# Plan" }, { permission: { decision: "deny" } });
    expect(rejected.failed).toBe(true);
    expect(planning.context.mode).toBe("plan");
    const { asked, failed } = await planning.call("propose_plan", { plan: "# Plan" });
    expect(asked).toMatchObject([{ tool: "plan", input: { plan: "# Plan" } }]);
    expect({ failed, mode: planning.context.mode }).toEqual({ failed: false, mode: "ask" });
  });

  test("denies a filtered tool, and reports an unknown one as an error", async () => {
    const { call, context } = await stage({ tools: { disallowed: ["shell", "write"] } });
    expect(toolsFor(firstTurn(context)).map(({ name }) => name)).not.toContain("shell");
    expect(only((await call("shell", { command: "true" })).events, "tool.failed")).toMatchObject([
      { reason: "denied" },
    ]);
    const unknown = await call("NoSuchTool", {});
    expect(only(unknown.events, "tool.started")).toMatchObject([{ tool: "other", nativeName: "NoSuchTool" }]);
    expect(only(unknown.events, "tool.failed")).toMatchObject([{ reason: "error" }]);
  });

  test("holds every call before anything happens", async () => {
    const { call, cwd } = await stage(full);
    const deny: Replies = { hold: { decision: "deny", message: "No." } };
    for (const [name, input] of [
      ["read", { path: "a" }],
      ["write", { path: "a", content: "" }],
      ["shell", { command: "touch a" }],
      ["task", { prompt: "x" }],
      ["plan", { entries: [] }],
      ["question", { question: "x" }],
      ["web_fetch", { url: "http://127.0.0.1:1/" }],
    ] as const) {
      const { events, text } = await call(name, input, deny);
      expect(events.map(({ type }) => type)).toEqual(["tool.started", "tool.held", "tool.failed"]);
      expect(text).toBe("No.");
    }
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });
});
