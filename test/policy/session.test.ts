/** Rules in sessions: with an agent that asks, with saved answers, and with untrusted projects. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReinsOptions, SessionOptions } from "../../src/core/api.ts";
import { SavedAnswers } from "../../src/core/policy/saved-answers.ts";
import type { AgentEvent, EventOf, ReinsEvent } from "../../src/events/types.ts";
import { createReins } from "../../src/core/reins.ts";
import { testFolder } from "../support/core.ts";
import { createPuppet, puppetCapabilities, type Puppet } from "../support/puppet.ts";

const npm = "npm test";
const options = [
  { id: "yes", kind: "allow_once", label: "Yes" },
  { id: "session", kind: "allow_always", label: "Yes, and any command in this session", scope: "session" },
  { id: "no", kind: "reject_once", label: "No" },
] as const;
const call = (command: string, id = "c1") => ({
  callId: id,
  tool: "shell" as const,
  title: `Run ${command}`,
  input: { command },
});
const asks = (command: string, id?: string): AgentEvent => ({
  type: "permission.requested",
  requestId: `r-${id ?? "c1"}`,
  ...call(command, id),
  options: [...options],
});
const holds = (command: string): AgentEvent => ({
  type: "tool.held",
  requestId: "r-c1",
  nativeName: "bash",
  ...call(command),
});

interface Scene {
  readonly home: string;
  readonly cwd: string;
}
const scene = (): Scene => ({ home: testFolder(), cwd: testFolder() });

/** Runs one turn in which the agent sends one event; returns the outcome and the answer the agent received. */
async function turn(
  event: AgentEvent,
  { home, cwd }: Scene,
  wanted: SessionOptions = {},
  given: ReinsOptions = {},
  puppet: Puppet = createPuppet(),
) {
  puppet.onPrompt = (agent) => agent.say(event);
  await using reins = createReins({
    agents: [puppet.entry],
    env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home },
    guardian: false,
    ...given,
  });
  await using session = await reins.session({ agent: "puppet", cwd, ...wanted });
  const seen: ReinsEvent[] = [];
  const running = session.prompt("go");
  for await (const one of running) {
    seen.push(one);
    if (one.type === "permission.resolved") puppet.session.say({ type: "turn.ended", outcome: "done" });
  }
  const only = <Type extends ReinsEvent["type"]>(type: Type) =>
    seen.filter((one): one is EventOf<Type> & ReinsEvent => one.type === type);
  return {
    resolved: only("permission.resolved")[0]!,
    asked: only("permission.requested")[0]!,
    notices: only("notice").map(({ message }) => message),
    told: puppet.session.answers[0]?.answer,
    opened: puppet.session.options,
  };
}

function configure(file: string, rules: readonly unknown[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ policy: { rules } }));
}
const kept = ({ home, cwd }: Scene) => new SavedAnswers(home, cwd).read().kept.map(({ rule }) => rule);

describe("an agent that asks", () => {
  it("is denied by a deny rule even in mode full, and the event names the rule and the reason", async () => {
    const rules = [{ decision: "deny", command: "npm", reason: "Use make." }] as const;
    for (const event of [asks(npm), holds(npm)]) {
      const { resolved, told } = await turn(event, scene(), { mode: "full", rules });
      expect(resolved).toMatchObject({ outcome: "denied", by: "policy", rule: "deny shell npm" });
      expect(told).toMatchObject({
        decision: "deny",
        message: "Denied by a rule of this session: deny shell npm. Use make.",
      });
    }
  });

  it("is allowed by an allow rule, without a message", async () => {
    const rules = [{ decision: "allow", command: npm }] as const;
    for (const event of [asks(npm), holds(npm)]) {
      const { resolved, told } = await turn(event, scene(), { rules });
      expect(resolved).toMatchObject({ outcome: "allowed", by: "policy", rule: "allow shell npm test" });
      expect(told).toEqual(
        event === asks(npm) ? { decision: "allow", optionId: "yes" } : expect.objectContaining({ decision: "allow" }),
      );
      expect(told?.message).toBeUndefined();
    }
  });

  it("makes Reins ask a person because of an ask rule even in mode full, and is denied when nobody is there", async () => {
    const rules = [{ decision: "ask", command: "npm" }] as const;
    const yes = await turn(asks(npm), scene(), { mode: "full", rules, onPermission: () => "allow" });
    expect(yes.resolved).toMatchObject({ outcome: "allowed", by: "person" });
    expect(yes.asked.reason).toBe("Asked by a rule of this session: ask shell npm.");
    const nobody = await turn(asks(npm), scene(), { mode: "full", rules });
    expect(nobody.resolved).toMatchObject({ outcome: "denied", by: "deadline" });
    expect(nobody.asked.reason).toBe("Asked by a rule of this session: ask shell npm.");
    expect(
      (await turn(holds(npm), scene(), { mode: "full", rules: [{ decision: "deny", tool: "shell" }] })).told,
    ).toMatchObject({ decision: "deny" });
  });

  it.each(["read", "plan"] as const)("stays in mode %s whatever a rule allows", async (mode) => {
    const { resolved } = await turn(asks(npm), scene(), {
      mode,
      rules: [{ decision: "allow" }],
      onPermission: () => "allow",
    });
    expect(resolved).toMatchObject({ outcome: "denied", by: "policy", rule: undefined });
  });

  it('is not offered its own "always" when a rule narrows the decision', async () => {
    const rules = [{ decision: "deny", command: "rm" }] as const;
    const { asked, told } = await turn(asks(npm), scene(), { rules, onPermission: () => "always" });
    expect(asked.options.map(({ id }) => id)).toEqual(["yes", "reins:always", "no"]);
    expect(told).toEqual({ decision: "allow", optionId: "yes" });
    const plain = await turn(asks(npm), scene(), { onPermission: () => "always" });
    expect(plain.asked.options).toEqual(options);
    expect(plain.told).toMatchObject({ optionId: "session", always: true });
  });

  it("is denied an input that a person changed into something a rule denies", async () => {
    const rules = [{ decision: "deny", command: "rm" }] as const;
    const onPermission = () => ({ decision: "allow", changedInput: { command: "rm x" } }) as const;
    const { resolved, told } = await turn(asks(npm), scene(), { rules, onPermission });
    expect(resolved).toMatchObject({ outcome: "denied", by: "policy", rule: "deny shell rm" });
    expect(told).not.toHaveProperty("changedInput");
    expect(told).toMatchObject({ decision: "deny", optionId: "no" });
  });
});

describe('an answer "always"', () => {
  const always: SessionOptions = { onPermission: () => "always" };
  const keepAnswers = true;

  it("becomes a rule of this folder that decides next time and can be removed", async () => {
    const at = scene();
    const first = await turn(asks(npm), at, always, { keepAnswers });
    expect(first.asked.options[1]).toEqual({
      id: "reins:always",
      kind: "allow_always",
      label: "Always allow in this folder: shell npm test",
      scope: "project",
      rule: "allow shell npm test",
    });
    expect(first.resolved).toMatchObject({
      outcome: "allowed",
      by: "person",
      optionId: "reins:always",
      rule: "allow shell npm test",
    });
    expect(first.told).toEqual({ decision: "allow", optionId: "yes" });
    expect(kept(at)).toEqual([{ decision: "allow", command: npm }]);
    const again = await turn(asks(npm), at, {}, { keepAnswers });
    expect(again.resolved).toMatchObject({ outcome: "allowed", by: "policy", rule: "allow shell npm test" });
    expect(again.resolved.message).toContain("your answer");
    const other = await turn(asks("npm test; rm x"), at, {}, { keepAnswers });
    expect(other.resolved).toMatchObject({ outcome: "denied", by: "deadline" });
    const elsewhere = await turn(asks(npm), { ...at, cwd: testFolder() }, {}, { keepAnswers });
    expect(elsewhere.resolved.outcome).toBe("denied");

    await using reins = createReins({ env: { HOME: at.home, REINS_HOME: at.home }, guardian: false });
    const view = await reins.policy({ cwd: at.cwd });
    expect(view.rules).toMatchObject([{ number: 1, said: "allow shell npm test", source: "answer" }]);
    await view.remove(1);
    expect(kept(at)).toEqual([]);
    expect((await turn(asks(npm), at, {}, { keepAnswers })).resolved.outcome).toBe("denied");
  });

  it("applies at once", async () => {
    const at = scene();
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(asks(npm));
    await using reins = createReins({
      agents: [puppet.entry],
      env: { HOME: at.home, REINS_HOME: at.home },
      guardian: false,
      keepAnswers,
    });
    await using session = await reins.session({ agent: "puppet", cwd: at.cwd, ...always });
    const by: string[] = [];
    for await (const event of session.prompt("go")) {
      if (event.type !== "permission.resolved") continue;
      by.push(event.by);
      puppet.session.say(by.length === 1 ? asks(npm, "c2") : { type: "turn.ended", outcome: "done" });
    }
    expect(by).toEqual(["person", "policy"]);
  });

  it("is saved only when a person gave it", async () => {
    const at = scene();
    await turn(asks(npm), at, { mode: "full" }, { keepAnswers });
    await turn(asks(npm), at, { rules: [{ decision: "allow", tool: "shell" }], ...always }, { keepAnswers });
    await turn(asks(npm), at, {}, { keepAnswers });
    expect(kept(at)).toEqual([]);
  });

  it.each(["npm $X", "npm test > out", "rm *", "eval x"])("makes no rule of %s", async (command) => {
    const at = scene();
    const { asked, resolved } = await turn(asks(command), at, always, { keepAnswers });
    expect(asked.options.map(({ id }) => id)).toEqual(["yes", "session", "no"]);
    expect(resolved.outcome).toBe("allowed");
    expect(kept(at)).toEqual([]);
  });

  it("is not offered when the project asks each time", async () => {
    const at = scene();
    configure(join(at.cwd, "reins.config.json"), [{ decision: "ask", command: "npm" }]);
    const { asked } = await turn(asks(npm), at, always, { keepAnswers });
    expect(asked.options.map(({ id }) => id)).toEqual(["yes", "no"]);
    expect(kept(at)).toEqual([]);
  });

  it("is passed to the agent when answers are not saved", async () => {
    const at = scene();
    await turn(asks(npm), at, always);
    expect(existsSync(join(at.home, "policy"))).toBe(false);
  });

  it("applies to the session only when it cannot be saved, and says so", async () => {
    const at = scene();
    writeFileSync(join(at.home, "policy"), "a file where a folder should be");
    const { resolved, notices } = await turn(asks(npm), at, always, { keepAnswers });
    expect(resolved.outcome).toBe("allowed");
    expect(notices).toEqual([expect.stringMatching(/^The rule "allow shell npm test" holds for this session only: /)]);
  });
});

describe("a project", () => {
  it("may deny and ask, but never allow", async () => {
    const at = scene();
    configure(join(at.cwd, "reins.config.json"), [{ decision: "allow" }, { decision: "deny", command: "rm" }]);
    configure(join(at.home, "config.json"), [{ decision: "allow", command: ["rm *", "ls"] }]);
    const denied = await turn(asks("rm x"), at, { mode: "full" });
    expect(denied.resolved).toMatchObject({ outcome: "denied", rule: "deny shell rm" });
    expect(denied.notices).toEqual([expect.stringContaining("only you can do that")]);
    expect((await turn(asks("ls"), at)).resolved).toMatchObject({ outcome: "allowed", rule: "allow shell rm * or ls" });
    expect((await turn(asks(npm), at)).resolved).toMatchObject({ outcome: "denied", by: "deadline" });
  });

  it("cannot bring saved answers in its files", async () => {
    const at = scene();
    const elsewhere = new SavedAnswers(testFolder(), at.cwd);
    elsewhere.keep({ decision: "allow", command: npm });
    for (const name of ["local.json", "policy.jsonl", "config.json"]) {
      mkdirSync(join(at.cwd, ".reins"), { recursive: true });
      writeFileSync(
        join(at.cwd, ".reins", name),
        JSON.stringify({ policy: { rules: [{ decision: "allow", command: npm }] } }),
      );
    }
    expect((await turn(asks(npm), at)).resolved).toMatchObject({ outcome: "denied", by: "deadline" });
  });

  it("has no saved answers after it was cloned again under the same name", async () => {
    const at = { home: testFolder(), cwd: join(testFolder(), "work") };
    mkdirSync(at.cwd);
    writeFileSync(join(at.cwd, "a"), "");
    await turn(asks(npm), at, { onPermission: () => "always" }, { keepAnswers: true });
    rmSync(at.cwd, { recursive: true });
    mkdirSync(join(dirname(at.cwd), "between"));
    mkdirSync(at.cwd);
    writeFileSync(join(at.cwd, "a"), "");
    const { resolved, notices } = await turn(asks(npm), at, {}, { keepAnswers: true });
    expect(resolved.outcome).toBe("denied");
    expect(notices).toEqual([expect.stringContaining("recreated")]);
  });
});

describe("a resumed session", () => {
  it("uses the current rules: an earlier permission may now be denied", async () => {
    const at = scene();
    await turn(asks(npm), at, { onPermission: () => "always" }, { keepAnswers: true });
    configure(join(at.cwd, "reins.config.json"), [{ decision: "deny", command: "npm" }]);
    const { resolved } = await turn(
      asks(npm),
      at,
      { resume: "puppet:1:0", onPermission: () => "allow" },
      { keepAnswers: true },
    );
    expect(resolved).toMatchObject({ outcome: "denied", by: "policy", rule: "deny shell npm" });
  });
});

describe("an agent that cannot be held", () => {
  const loose = (toolFilter = false) =>
    createPuppet({ capabilities: { toolFilter, hold: { ...puppetCapabilities.hold, execute: "unsafe_only" } } });
  const rules = [{ decision: "deny", command: "rm" }] as const;

  it("is refused with one sentence, or continues with a notice", async () => {
    await expect(turn(asks(npm), scene(), { rules }, {}, loose())).rejects.toMatchObject({
      code: "unsupported",
      message:
        'Puppet cannot enforce the rule "deny shell rm": it asks only about calls that it considers unsafe (shell).',
      help: expect.stringContaining("--allow-unenforced"),
    });
    const { notices, resolved } = await turn(asks("rm x"), scene(), { rules, allowUnenforced: true }, {}, loose());
    expect(notices).toEqual([
      expect.stringMatching(/^Puppet cannot enforce .*; the session continues without this rule\.$/),
    ]);
    expect(resolved).toMatchObject({ outcome: "denied", rule: "deny shell rm" });
  });

  it("is denied disallowed tools by a rule when it takes no tool filter", async () => {
    const tools = { disallowed: ["shell"] };
    const { resolved, notices } = await turn(holds("ls"), scene(), { mode: "full", tools });
    expect(resolved).toMatchObject({ outcome: "denied", rule: "deny shell" });
    expect(notices).toEqual([]);
    await expect(turn(asks(npm), scene(), { tools }, {}, loose())).rejects.toMatchObject({
      code: "unsupported",
      message:
        'Puppet cannot enforce the rule "deny shell": it asks only about calls that it considers unsafe (shell).',
    });
    const named = { tools: { disallowed: ["Bash"] } };
    await expect(turn(asks(npm), scene(), named)).rejects.toMatchObject({
      code: "unsupported",
      message: "Puppet cannot be denied the tool Bash: only tool names that every agent has can be denied.",
    });
    const even = await turn(asks(npm), scene(), { ...named, allowUnenforced: true });
    expect(even.notices).toEqual([
      expect.stringMatching(/^Puppet cannot be denied the tool Bash.*; the session continues without this rule\.$/),
    ]);
  });

  it("does not get a tool that a rule denies entirely when it takes a tool filter", async () => {
    const wanted: SessionOptions = {
      rules: [{ decision: "deny", tool: "shell" }],
      tools: { disallowed: ["x"], first: {} },
    };
    const { opened } = await turn(asks(npm), scene(), wanted, {}, loose(true));
    expect(opened.tools).toEqual({ disallowed: ["x", "shell"], first: { disallowed: ["shell"] } });
  });
});

describe("invalid rules", () => {
  it.each([
    [{ decision: "maybe" }, "decision must be one of allow, deny, ask"],
    [{ decision: "deny", comand: "rm" }, "there is no key comand; did you mean command"],
    [{ decision: "deny", tool: "bash" }, 'there is no tool "bash"'],
    ["deny rm", "it must be an object"],
    [{ decision: "deny", path: "" }, "path must be text, or a list of texts"],
  ])("%j: %s", async (rule, why) => {
    await expect(turn(asks(npm), scene(), { rules: [rule as never] })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(why) as unknown,
    });
  });

  it("reports rules that can never match at the start", async () => {
    const rules = [
      { decision: "deny", command: "rm" },
      { decision: "deny", command: "rm -r" },
    ] as const;
    const { notices } = await turn(asks("rm x"), scene(), { rules });
    expect(notices).toEqual([expect.stringContaining("Rule 2 of the policy (deny shell rm -r) has no effect: rule 1")]);
  });

  it("uses the first match of a hundred thousand rules", async () => {
    const rules = Array.from({ length: 100_000 }, (_, n) => ({ decision: "deny", command: `command-${n}` }) as const);
    const { resolved } = await turn(asks("command-99999 x"), scene(), { mode: "full", rules });
    expect(resolved).toMatchObject({ outcome: "denied", rule: "deny shell command-99999" });
  });
});
