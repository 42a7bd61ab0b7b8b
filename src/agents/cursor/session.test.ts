import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentContext } from "../../../test/support/stand-in-program.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import { createProcesses } from "../../process/index.ts";
import type { Processes } from "../../process/types.ts";
import type { AgentContext } from "../contract.ts";
import { createAgent } from "./index.ts";
import { chatOf, isEmpty, lendInstructions, stateOf, withoutInstructions } from "./session.ts";

const id = "0d5f2c1e-7b0a-4c83-9a6e-2f1f5f2f9d11";

test("lets either channel resume the other's state as the same chat", () => {
  expect(stateOf("acp", id)).toBe(`cursor:1:acp:${id}`);
  expect([stateOf("acp", id), stateOf("print", id), stateOf("empty", id)].map(chatOf)).toEqual([id, id, id]);
  expect([stateOf("empty", id), stateOf("print", id)].map(isEmpty)).toEqual([true, false]);
});

test.for([
  "cursor:2:acp:x",
  "cursor:1:cloud:x",
  "cursor:1:acp:",
  "cursor:1:acp:-f",
  "cursor:1:acp:a b",
  "cursor-cloud:1:x",
  "",
])("rejects the state %j", (state) => {
  expect(() => chatOf(state)).toThrow(expect.objectContaining({ code: "session_not_found" }));
});

let home: string;
let cwd: string;
let processes: Processes;
const redact = createRedactor({});

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "cursor-instructions-")));
  cwd = join(home, "work");
  mkdirSync(cwd);
  processes = createProcesses({
    env: {},
    home,
    guardian: false,
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact,
  });
});

afterEach(async () => {
  await processes.close();
  rmSync(home, { recursive: true, force: true });
});

const context = (env: Record<string, string> = { REINS_CURSOR_AGENTS_MD: "1" }): AgentContext =>
  agentContext({ processes, env: { HOME: home, ...env } });
const lend = (text = "Be short.", given = context()) =>
  lendInstructions(given, { cwd, systemPrompt: { text, how: "append" } });
const path = () => join(cwd, "AGENTS.md");

test("writes nothing without the user's consent, and declares no capability", async () => {
  expect(await lend("x", context({}))).toBeUndefined();
  expect(existsSync(path())).toBe(false);
  expect(createAgent(context({})).capabilities.systemPrompt).toEqual([]);
  expect(createAgent(context()).capabilities.systemPrompt).toEqual(["append"]);
});

test("keeps the instructions while a session needs them", async () => {
  const [one, two] = [await lend(), await lend()];
  expect(readFileSync(path(), "utf8")).toContain("\nBe short.\n");
  one?.giveBack();
  expect(existsSync(path())).toBe(true);
  two?.giveBack();
  expect(existsSync(path())).toBe(false);
});

test("reports that another text in the same folder does not fit", async () => {
  const one = await lend();
  expect((await lend("Be long."))?.missing).toMatch(/system prompt is not in AGENTS.md: .*in use by another session/);
  one?.giveBack();
  expect(existsSync(path())).toBe(false);
});

test.for([
  ["a file", () => writeFileSync(path(), "mine\r\n")],
  ["a link to nothing", () => symlinkSync("elsewhere", path())],
  ["a folder", () => mkdirSync(path())],
] as const)("leaves %s that exists already unchanged", async ([, make]) => {
  make();
  const lent = await lend();
  expect(lent?.missing).toMatch(/system prompt is not in AGENTS.md/);
  lent?.giveBack();
  const left = lstatSync(path());
  expect([left.isFile(), left.isSymbolicLink(), left.isDirectory()].filter(Boolean)).toHaveLength(1);
  if (left.isFile()) expect(readFileSync(path(), "utf8")).toBe("mine\r\n");
});

test("keeps what somebody added meanwhile", async () => {
  const lent = await lend();
  writeFileSync(path(), `# Mine\n${readFileSync(path(), "utf8")}More.\n`);
  lent?.giveBack();
  expect(readFileSync(path(), "utf8")).toBe("# Mine\nMore.\n");
  expect(withoutInstructions("only theirs")).toBe("only theirs");
});

test("leaves nothing after a session that cannot be opened", async () => {
  const agent = createAgent(context({ REINS_CURSOR_AGENTS_MD: "1", REINS_CURSOR_COMMAND: join(home, "gone") }));
  const systemPrompt = { text: "Be short.", how: "append" } as const;
  await expect(agent.open({ sessionId: "s", cwd, mode: "ask", systemPrompt })).rejects.toMatchObject({
    code: "not_installed",
  });
  expect(existsSync(path())).toBe(false);
});
