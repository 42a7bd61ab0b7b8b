/** Agents that break the protocol: each ends in one clear sentence, or goes on as if nothing had happened. */
import { expect, test } from "vitest";
import { createReins } from "../../src/index.ts";
import { acpEntry, everything, turn, withToy } from "../support/toy.ts";

test("answers twice: everything is said once", async () => {
  const toy = await (await withToy(["--twice"])).session({ onPermission: () => "allow" });
  const events = await turn(toy, "read x; run y");
  expect(events.at(-1)).toMatchObject({ outcome: "done", toolCalls: 2 });
  const second = await turn(toy, "recall");
  expect(second.at(-1)).toMatchObject({ outcome: "done" });
  const all = await everything(toy);
  expect(all.filter(({ type }) => type === "permission.requested")).toHaveLength(1);
  expect(all.filter(({ type }) => type === "turn.completed")).toHaveLength(2);
  expect(all.some((event) => event.type === "notice" && event.code === "unexpected_answer")).toBe(true);
});

test("asks before initialize: nothing is allowed, and it goes on", async () => {
  const toy = await (await withToy(["--asks-early"])).session({ onPermission: () => "allow" });
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  const all = await everything(toy);
  expect(all.filter(({ type }) => type === "permission.requested")).toEqual([]);
  expect(all.find((event) => event.type === "notice" && event.code === "late")).toBeDefined();
});

test("repeats ids", async () => {
  const toy = await (await withToy(["--repeats-ids"])).session();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  await everything(toy);
});

test("prints a megabyte of garbage: few notices that count all of it", async () => {
  const toy = await (await withToy(["--garbage"])).session();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  const all = await everything(toy);
  const garbage = all.flatMap((event) => (event.type === "notice" && event.code === "unparsed" ? [event] : []));
  expect(garbage.length).toBeLessThan(20);
  expect(garbage.reduce((sum, { count }) => sum + (count ?? 1), 0)).toBe(10_000);
});

test("never answers initialize", async () => {
  const { session } = await withToy(["--mute"], { deadlines: { start: 300 } });
  await expect(session()).rejects.toMatchObject({
    code: "agent_hung",
    message: "Toy did not answer initialize within 300 ms.",
    help: "Check that this command speaks ACP on its standard input and output.",
  });
});

test("dies in session/new", async () => {
  const { session } = await withToy(["--dies-in-new"]);
  await expect(session()).rejects.toMatchObject({
    code: "agent_crashed",
    message: "Toy ended with code 4: no room for a session",
  });
});

test("speaks another version", async () => {
  const { session } = await withToy(["--old"]);
  await expect(session()).rejects.toMatchObject({
    code: "version_unsupported",
    message: "Toy speaks version 7 of ACP, and Reins speaks 1.",
  });
});

test("wants somebody to sign in: says how, or signs in where no person is needed", async () => {
  const locked = await withToy(["--locked"]);
  await expect(locked.session()).rejects.toMatchObject({
    code: "not_authenticated",
    message: "Toy did not begin a session: Authentication required",
    help: "Sign in first: Set TOY_KEY.",
  });
  const wrong = await withToy(["--locked"], { quirks: { authMethod: () => "guess", signInHelp: "Get a key." } });
  await expect(wrong.session()).rejects.toMatchObject({ code: "not_authenticated", help: "Get a key." });
  const right = await withToy(["--locked"], { quirks: { authMethod: ([first]) => String(first?.["id"]) } });
  const toy = await right.session();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  await everything(toy);
});

test("is no agent at all", async () => {
  const agents = [
    acpEntry({ id: "echo", command: "/bin/echo", args: ["hello"] }),
    acpEntry({ id: "gone", command: "no-such-program" }),
  ];
  await using reins = createReins({ guardian: false, agents });
  await expect(reins.session({ agent: "echo" })).rejects.toMatchObject({
    code: "agent_crashed",
    message: "Toy ended with code 0.",
  });
  await expect(reins.session({ agent: "gone" })).rejects.toMatchObject({ code: "not_installed" });
});
