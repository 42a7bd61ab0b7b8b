/** Cursor's hooks, run by its stand-in as the real program would: in our plugin, and in the person's own files, which are restored. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";
import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { stateHome } from "../../../src/process/home.ts";
import { commandsIn } from "../../../src/agents/cursor/hooks/hooks-file.ts";
import { runHook } from "../../support/cursor-hooks.ts";
import { until } from "../../support/processes.ts";
import { realAgent, type RealAgent } from "../support/real-agent.ts";

type Traps = NonNullable<Parameters<typeof cursorStandIn>[0]>["traps"];

const cursor = (channel: string, place: string, traps: Traps = {}) =>
  realAgent("cursor", {
    diverges: true,
    env: {
      REINS_CURSOR_CHANNEL: channel,
      REINS_CURSOR_HOOKS: place,
      REINS_CURSOR_TRUST: "1",
      REINS_CURSOR_COMMAND: cursorStandIn({ traps: { PRINT_HOOKS: "all", ...traps } }),
    },
  });

/** Strict JSON, the only format the program reads, with a hook of the person's own. */
const theirs = (log: string): string =>
  `{\r\n\t"version":   1,\r\n\t"hooks": { "preToolUse": [ {"command": "cat >/dev/null; echo fired >> ${log}; echo {}"} ] }\r\n}\n`;

function hooksFile(real: RealAgent, place: string): { path: string; text: string; fired: () => boolean } {
  const root = place === "project" ? real.cwd : real.home;
  mkdirSync(join(root, ".cursor"), { recursive: true });
  const [path, log] = [join(root, ".cursor", "hooks.json"), join(real.home, "fired")];
  writeFileSync(path, theirs(log));
  return { path, text: theirs(log), fired: () => existsSync(log) };
}

const read = (path: string): string => readFileSync(path, "utf8");
const hasOurs = (path: string): boolean => read(path).includes("reins-cursor-hook");

const ledgers = (real: RealAgent): number => readdirSync(join(stateHome(real.env), "run")).length;

/** A Reins in its own process, in a turn that does not end. */
async function victim(real: RealAgent): Promise<{ kill: () => Promise<void> }> {
  const main = fileURLToPath(new URL("../../support/kept-victim.ts", import.meta.url));
  const args = [main, join(real.home, "store"), real.cwd, "cursor", "full", scenarioPrompt("late-text")];
  const child = spawn(process.execPath, args, { env: real.env, stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"turn.started"')) break;
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

test.for([
  ["print", "plugin"],
  ["print", "project"],
  ["print", "user"],
  ["acp", "plugin"],
  ["acp", "project"],
  ["acp", "user"],
] as const)(
  "%s, %s: the policy decides before a tool runs, every event comes once, and the file is restored",
  async ([channel, place]) => {
    const real = await cursor(channel, place);
    const file = hooksFile(real, place === "plugin" ? "project" : place);
    const rules = [{ decision: "deny", command: "touch never.txt" }] as const;
    const session = await real.session({ mode: "full", rules, allowUnenforced: true });
    const { result, events } = await real.turn(session, scenarioPrompt("shell", "touch made.txt"));
    expect(hasOurs(file.path)).toBe(place !== "plugin");
    expect(result).toMatchObject({ outcome: "done", toolCalls: 1, filesChanged: ["made.txt"] });
    expect(events.filter(({ type }) => type === "tool.started")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "message.completed")).toHaveLength(2);
    const denied = await real.turn(session, scenarioPrompt("shell", "touch never.txt"));
    expect(denied.events.find(({ type }) => type === "permission.resolved")).toMatchObject({
      outcome: "denied",
      by: "policy",
    });
    expect(denied.events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "denied" });
    expect(existsSync(join(real.cwd, "never.txt"))).toBe(false);
    expect(file.fired()).toBe(true);
    await session.close();
    expect(read(file.path)).toBe(file.text);
  },
);

test("asks a person from a hook and runs the changed input", async () => {
  const real = await cursor("print", "plugin");
  const rules = [{ decision: "ask", tool: "shell" }] as const;
  const onPermission = () => ({ decision: "allow", changedInput: { command: "touch other.txt" } }) as const;
  const session = await real.session({ mode: "full", rules, allowUnenforced: true, onPermission });
  const { result } = await real.turn(session, scenarioPrompt("shell", "touch made.txt"));
  expect(result).toMatchObject({ outcome: "done", toolCalls: 1, filesChanged: ["other.txt"] });
});

test("writes only known event names for an old version, which rejects the file otherwise", async () => {
  const names =
    "beforeShellExecution,afterShellExecution,beforeMCPExecution,afterMCPExecution,beforeReadFile,afterFileEdit,beforeSubmitPrompt,stop";
  const real = await cursor("print", "project", { VERSION: "2026.01.28-0a1b2c3", HOOK_EVENTS: names });
  const rules = [{ decision: "deny", command: "touch never.txt" }] as const;
  const session = await real.session({ mode: "full", rules, allowUnenforced: true });
  await real.turn(session, scenarioPrompt("shell", "touch never.txt"));
  expect(existsSync(join(real.cwd, "never.txt"))).toBe(false);
  await session.close();
  expect(existsSync(join(real.cwd, ".cursor"))).toBe(false);
});

test("shares the file between two sessions and two Reins processes, and a kill -9 of one harms no other", async () => {
  const real = await cursor("print", "project");
  const file = hooksFile(real, "project");
  const other = await victim(real);
  const installed = read(file.path);
  const [one, two] = [await real.session({ mode: "full" }), await real.session({ mode: "full" })];
  expect(read(file.path)).toBe(installed);
  await one.close();
  await other.kill();
  // The guardian is done when its list of processes is gone.
  await until(() => ledgers(real) === 1, "the guardian of the one that was killed is done");
  expect(read(file.path)).toBe(installed);
  const { result } = await real.turn(two, scenarioPrompt("shell", "touch made.txt"));
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["made.txt"] });
  await two.close();
  expect(read(file.path)).toBe(file.text);
});

test("restores the file by the guardian after a kill -9, or at the next start when it was changed since", async () => {
  const real = await cursor("print", "project");
  const file = hooksFile(real, "project");
  const first = await victim(real);
  const command =
    commandsIn(read(file.path))?.find(({ command: one }) => one.includes("reins-cursor-hook"))?.command ?? "";
  await first.kill();
  // The editor has read the file before, and runs the hook now.
  expect(await runHook(command, {})).toEqual({ code: 0, stdout: "{}", stderr: "" });
  await until(() => read(file.path) === file.text, "the file is as it was");

  const second = await victim(real);
  writeFileSync(file.path, `${read(file.path)}\n\n`);
  await second.kill();
  const again = real.another();
  await again.agent("cursor");
  await until(() => read(file.path) === `${file.text}\n\n`, "only ours are gone");
});

test.for(["print", "acp"])("%s: what Reins denies stays denied, whatever a project's hook allows", async (channel) => {
  const real = await cursor(channel, "plugin");
  mkdirSync(join(real.cwd, ".cursor"));
  const allows = { command: `cat >/dev/null; echo '{"permission":"allow"}'` };
  const gating = ["preToolUse", "beforeShellExecution"].map((event) => [event, [allows]]);
  writeFileSync(
    join(real.cwd, ".cursor", "hooks.json"),
    JSON.stringify({ version: 1, hooks: Object.fromEntries(gating) as object }),
  );
  const rules = [{ decision: "deny", command: "touch never.txt" }] as const;
  const session = await real.session({ mode: "full", rules, allowUnenforced: true });
  const { events } = await real.turn(session, scenarioPrompt("shell", "touch never.txt"));
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "never.txt"))).toBe(false);
});

test.for(["print", "acp"])("%s: passes the system prompt as context once, and says so", async (channel) => {
  const real = await cursor(channel, "plugin");
  const session = await real.session({ mode: "full", systemPrompt: { text: "Speak like a pirate.", how: "append" } });
  await real.turn(session, scenarioPrompt("text"));
  await real.turn(session, scenarioPrompt("text"));
  expect(JSON.stringify(real.model.requests.at(-1)).split("Speak like a pirate.")).toHaveLength(2);
  expect(
    real.said(session).filter((event) => event.type === "notice" && /as context/.test(event.message)),
  ).toHaveLength(1);
});

test.for(["print", "acp"])(
  "%s: redacts the token in a command's output, and continues once per turn end",
  async (channel) => {
    const real = await cursor(channel, "plugin");
    const session = await real.session({ mode: "full", continue: [{ prompt: scenarioPrompt("text"), times: 1 }] });
    await real.turn(session, scenarioPrompt("shell", "env | grep REINS_HOOK"));
    await real.when(
      session,
      "turn.started",
      ({ turnId }) => turnId !== real.said(session).find(({ type }) => type === "turn.started")?.turnId,
    );
    await session.close();
    const said = JSON.stringify(real.said(session));
    expect(said).toContain("REINS_HOOK_TOKEN=");
    expect(said).not.toMatch(/sk-reins/);
    expect(real.said(session).filter(({ type }) => type === "turn.started")).toHaveLength(2);
  },
);
