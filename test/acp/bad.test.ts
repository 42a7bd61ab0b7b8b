/** Agents that break the protocol: the session fails with one clear sentence, or continues unharmed. */
import { expect, test } from "vitest";
import { createReins } from "../../src/index.ts";
import { acpEntry, everything, turn, withToy } from "../support/toy.ts";

test("ignores duplicate answers of an agent that sends everything twice", async () => {
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

test("denies a request sent before initialize and continues", async () => {
  const toy = await (await withToy(["--asks-early"])).session({ onPermission: () => "allow" });
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  const all = await everything(toy);
  expect(all.filter(({ type }) => type === "permission.requested")).toEqual([]);
  expect(all.find((event) => event.type === "notice" && event.code === "late")).toBeDefined();
});

test("works with an agent that reuses message ids", async () => {
  const toy = await (await withToy(["--repeats-ids"])).session();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  await everything(toy);
});

test("summarizes a megabyte of garbage in a few notices that count every line", async () => {
  const toy = await (await withToy(["--garbage"])).session();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  const all = await everything(toy);
  const garbage = all.flatMap((event) => (event.type === "notice" && event.code === "unparsed" ? [event] : []));
  expect(garbage.length).toBeLessThan(20);
  expect(garbage.reduce((sum, { count }) => sum + (count ?? 1), 0)).toBe(10_000);
});

test("fails when the agent never answers initialize", async () => {
  const { session } = await withToy(["--mute"], { deadlines: { start: 300 } });
  await expect(session()).rejects.toMatchObject({
    code: "agent_hung",
    message: "Toy did not answer initialize within 300 ms.",
    help: "Check that this command speaks ACP on its standard input and output.",
  });
});

test("fails with the last words of an agent that dies in session/new", async () => {
  const { session } = await withToy(["--dies-in-new"]);
  await expect(session()).rejects.toMatchObject({
    code: "agent_crashed",
    message: "Toy ended with code 4: no room for a session",
  });
});

test("refuses an agent that speaks another protocol version", async () => {
  const { session } = await withToy(["--old"]);
  await expect(session()).rejects.toMatchObject({
    code: "version_unsupported",
    message: "Toy speaks version 7 of ACP, and Reins speaks 1.",
  });
});

test("says how to sign in, or signs in when no person is needed", async () => {
  const locked = await withToy(["--locked"]);
  await expect(locked.session()).rejects.toMatchObject({
    code: "not_authenticated",
    message: "Toy did not start a session: Authentication required",
    help: "Sign in first: Set TOY_KEY.",
  });
  const wrong = await withToy(["--locked"], { quirks: { authMethod: () => "guess", signInHelp: "Get a key." } });
  await expect(wrong.session()).rejects.toMatchObject({ code: "not_authenticated", help: "Get a key." });
  const right = await withToy(["--locked"], { quirks: { authMethod: ([first]) => String(first?.["id"]) } });
  const toy = await right.session();
  expect((await turn(toy, "say hi")).at(-1)).toMatchObject({ outcome: "done" });
  await everything(toy);
});

test("fails for a program that does not speak ACP and for a missing program", async () => {
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
