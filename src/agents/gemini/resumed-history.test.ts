import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { keepHistory, tidyHistory } from "./history.ts";
import { sessionOf, stateOf } from "./program.ts";

const id = "352147e8-d0b3-4826-899c-619c7c831343";
const now = Date.parse("2026-11-15T23:13:59Z");
const header = `${JSON.stringify({ sessionId: id, projectHash: "h" })}\n`;
const message = '{"id":"m","type":"user"}\n';

function projectWith(files: Readonly<Record<string, string>>) {
  const home = testFolder();
  const project = join(home, ".gemini", "tmp", "app");
  const chats = join(project, "chats");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(project, ".project_root"), "/w/app");
  for (const [minute, text] of Object.entries(files))
    writeFileSync(join(chats, `session-2026-11-15T${minute}-352147e8.jsonl`), text);
  const left = () =>
    Object.fromEntries(readdirSync(chats).map((name) => [name.slice(19, 24), readFileSync(join(chats, name), "utf8")]));
  return { env: { HOME: home }, left };
}

test("renames a file of the current minute to a free earlier one", async () => {
  const { env, left } = projectWith({ "23-13": header + message, "23-12": header + message });
  await keepHistory(id, env, now);
  expect(Object.keys(left())).toEqual(["23-11", "23-12"]);
});

test("removes a file without a message, before and after loading, when there is another", async () => {
  const { env, left } = projectWith({ "22-00": header + message, "23-13": header });
  await keepHistory(id, env, now);
  expect(Object.keys(left())).toEqual(["22-00"]);
  const alone = projectWith({ "23-10": header });
  await tidyHistory(id, alone.env);
  expect(Object.keys(alone.left())).toEqual(["23-10"]);
});

test("restores the line that names the session", async () => {
  const { env, left } = projectWith({ "23-10": message });
  await keepHistory(id, env, now);
  const [first, second] = left()["23-10"]!.split("\n");
  expect(JSON.parse(first!)).toMatchObject({
    sessionId: id,
    projectHash: "ece9371bedcbc1139e32f73cc67f0e41d989923d6c820725b6bc0a499922f610",
  });
  expect(`${second}\n`).toBe(message);
});

test("does nothing without files or for an invalid id", async () => {
  await keepHistory(id, { HOME: testFolder() }, now);
  const { env, left } = projectWith({ "23-13": header + message });
  await keepHistory("../../../x", env, now);
  expect(Object.keys(left())).toEqual(["23-13"]);
});

test("round-trips a state, and rejects those of other agents", () => {
  expect(sessionOf(stateOf(id))).toBe(id);
  expect(() => sessionOf("claude:1:x")).toThrow(expect.objectContaining({ code: "session_not_found" }));
});
