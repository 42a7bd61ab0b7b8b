import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { requireChat } from "./chat.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "reins-chats-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = { HOME: home };
const cursor = join(home, ".cursor");
const cwd = join(home, "project");
mkdirSync(cwd);
symlinkSync(cwd, join(home, "link"));

function keep(id: string, meta?: string): void {
  mkdirSync(join(cursor, "chats/0123abcd", id), { recursive: true });
  if (meta !== undefined) writeFileSync(join(cursor, "chats/0123abcd", id, "meta.json"), meta);
}

test("rejects a chat that never existed", async () => {
  await expect(requireChat("never", cwd, env)).rejects.toMatchObject({ code: "session_not_found" });
});

test("finds a chat of this folder, whatever else its file contains", async () => {
  keep("here", JSON.stringify({ schemaVersion: 1, cwd }));
  keep("bare");
  keep("broken", "{");
  for (const id of ["here", "bare", "broken"]) await expect(requireChat(id, cwd, env)).resolves.toBeUndefined();
  await expect(requireChat("here", join(home, "link"), env)).resolves.toBeUndefined();
});

test("rejects a chat of another folder, which would start anew here", async () => {
  keep("elsewhere", JSON.stringify({ cwd: "/somewhere/else" }));
  await expect(requireChat("elsewhere", cwd, env)).rejects.toMatchObject({
    code: "session_not_found",
    message: expect.stringContaining("/somewhere/else"),
  });
});

test("finds a chat by its transcript, in another data folder too", async () => {
  const config = join(home, "config");
  mkdirSync(join(config, "projects/project/agent-transcripts/told"), { recursive: true });
  await expect(requireChat("told", cwd, { ...env, CURSOR_CONFIG_DIR: config })).resolves.toBeUndefined();
  await expect(requireChat("told", cwd, env)).rejects.toMatchObject({ code: "session_not_found" });
});
