/** A tool that needs a permission: every possible answer, and no answer. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { toldResults } from "./support/requests.ts";

const touch = (file: string) => scenarioPrompt("shell", `touch ${file}`);

test("allows once: the tool runs, and the next call asks again", async () => {
  const real = await realAgent("claude");
  const requests: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest): PermissionReply => {
    requests.push(request);
    return "allow";
  };
  const session = await real.session({ onPermission });
  const { events } = await real.turn(session, touch("once.txt"));
  const request = one(events, "permission.requested");
  expect(requests).toEqual([request]);
  expect(request).toMatchObject({
    callId: one(events, "tool.started").callId,
    tool: "shell",
    title: "Run touch once.txt",
    input: { command: "touch once.txt" },
    deadline: expect.any(String),
  });
  expect(new Set(request.options.map((option) => option.kind))).toEqual(
    new Set(["allow_once", "allow_always", "reject_once"]),
  );
  expect(one(events, "permission.resolved")).toMatchObject({
    requestId: request.requestId,
    outcome: "allowed",
    by: "person",
  });
  expect(existsSync(join(real.cwd, "once.txt"))).toBe(true);
  await real.turn(session, touch("twice.txt"));
  expect(requests).toHaveLength(2);
});

test("shows the diff of an edit before it runs", async () => {
  const real = await realAgent("claude");
  let before: boolean | undefined;
  const onPermission = ({ diff }: PermissionRequest): PermissionReply => {
    before = existsSync(join(real.cwd, "hello.txt"));
    return diff?.includes("+hello world") === true ? "allow" : "deny";
  };
  const { result, events } = await real.turn(await real.session({ onPermission }), scenarioPrompt("write"));
  expect(before).toBe(false);
  expect(one(events, "permission.requested").locations).toEqual([{ path: "hello.txt" }]);
  expect(result.filesChanged).toEqual(["hello.txt"]);
});

test("allows with a changed input: the changed file is written", async () => {
  const real = await realAgent("claude");
  const onPermission = (): PermissionReply => ({
    decision: "allow",
    changedInput: { file_path: join(real.cwd, "changed.txt"), content: "changed\n" },
  });
  const { result, events } = await real.turn(await real.session({ onPermission }), scenarioPrompt("write"));
  expect(readFileSync(join(real.cwd, "changed.txt"), "utf8")).toBe("changed\n");
  expect(existsSync(join(real.cwd, "hello.txt"))).toBe(false);
  expect(one(events, "permission.resolved")).toMatchObject({
    outcome: "allowed",
    changedInput: { content: "changed\n" },
  });
  expect(one(events, "file.changed")).toMatchObject({ path: "changed.txt", op: "create" });
  expect(result.filesChanged).toEqual(["changed.txt"]);
});

test("allows always: the second call is not asked, in this session only", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ onPermission: () => "always" });
  const first = await real.turn(session, scenarioPrompt("write", "a.txt"));
  expect(one(first.events, "permission.resolved")).toMatchObject({ outcome: "allowed", rule: expect.any(String) });
  const second = await real.turn(session, scenarioPrompt("write", "b.txt"));
  expect(all(second.events, "permission.requested")).toEqual([]);
  expect(existsSync(join(real.cwd, "b.txt"))).toBe(true);
  const other = await real.turn(await real.session({ onPermission: () => "deny" }), scenarioPrompt("write", "c.txt"));
  expect(one(other.events, "permission.resolved").outcome).toBe("denied");
});

test("selects an option by id: it applies to the project in later sessions", async () => {
  const real = await realAgent("claude");
  const onPermission = ({ options }: PermissionRequest): PermissionReply => {
    const offered = options.find((option) => option.kind === "allow_always" && option.scope === "project");
    return { decision: "allow", optionId: offered!.id };
  };
  const { events } = await real.turn(
    await real.session({ onPermission }),
    scenarioPrompt("shell", "git config user.name A"),
  );
  expect(one(events, "permission.resolved")).toMatchObject({
    outcome: "allowed",
    rule: expect.stringContaining("git config"),
  });
  const later = await real.turn(await real.session(), scenarioPrompt("shell", "git config user.name B"));
  expect(all(later.events, "permission.requested")).toEqual([]);
  expect(readFileSync(join(real.cwd, ".git/config"), "utf8")).toContain("name = B");
});

test("denies with a message: the model receives it and continues", async () => {
  const real = await realAgent("claude");
  const onPermission = (): PermissionReply => ({ decision: "deny", message: "Not on a Friday." });
  const { result, events } = await real.turn(await real.session({ onPermission }), touch("no.txt"));
  expect(one(events, "permission.resolved")).toMatchObject({
    outcome: "denied",
    by: "person",
    message: "Not on a Friday.",
  });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(toldResults(real.model).at(-1)).toContain("Not on a Friday.");
  expect(result).toMatchObject({ outcome: "done", text: expect.stringContaining("Not on a Friday.") });
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
});

test("denies with stop: the turn ends, and the session continues", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ onPermission: () => "stop" });
  const { result, events } = await real.turn(session, touch("no.txt"));
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", stop: true });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(result.outcome).toBe("cancelled");
  expect(real.model.requests).toHaveLength(1);
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("denies when nobody answers in time", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ attended: true }, real.another({ deadlines: { permission: 50 } }));
  const { result, events } = await real.turn(session, touch("no.txt"));
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "deadline" });
  expect(toldResults(real.model).at(-1)).toContain("nobody answered in time");
  expect(result.outcome).toBe("done");
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
});

test("denies at once when nobody is there", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), touch("no.txt"));
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "deadline" });
  expect(toldResults(real.model).at(-1)).toContain("nobody is there to answer");
  expect(result.outcome).toBe("done");
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
});

test("accepts an answer through the turn and rejects a second one as too late", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ attended: true });
  const turn = session.prompt(touch("yes.txt"));
  const { requestId } = await real.when(session, "permission.requested");
  turn.answer(requestId, "allow");
  expect(() => turn.answer(requestId, "deny")).toThrow(expect.objectContaining({ code: "invalid_input" }));
  expect((await turn.result).outcome).toBe("done");
  expect(existsSync(join(real.cwd, "yes.txt"))).toBe(true);
});

test("asks separately for two tools in one answer", async () => {
  const real = await realAgent("claude");
  const onPermission = ({ title }: PermissionRequest): PermissionReply =>
    title.includes("one.txt") ? "deny" : "allow";
  const { result, events } = await real.turn(await real.session({ onPermission }), scenarioPrompt("two-tools"));
  expect(all(events, "permission.resolved").map((event) => event.outcome)).toEqual(["denied", "allowed"]);
  expect(result.filesChanged).toEqual(["two.txt"]);
});
