import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { testFolder } from "../../support/core.ts";
import { Chat, hasConversation } from "./chats.ts";
import { chatsFolder } from "./places.ts";

const id = "0c6d5a1e-7f0b-4a51-9d1f-0a1b2c3d4e5f";

test("keeps a chat readable while it is rewritten, so that it survives a kill", () => {
  const cwd = testFolder();
  vi.stubEnv("CURSOR_CONFIG_DIR", testFolder());
  const chat = new Chat(id, cwd);
  chat.messages.push({ role: "user", content: "Hello." });
  chat.keep();
  const meta = join(chatsFolder(cwd), id, "meta.json");
  const before = { fd: openSync(meta, "r"), text: readFileSync(meta, "utf8"), file: statSync(meta).ino };
  chat.messages.push({ role: "assistant", content: "Good morning." });
  chat.keep();
  expect(readFileSync(before.fd, "utf8")).toBe(before.text);
  closeSync(before.fd);
  expect(statSync(meta).ino).not.toBe(before.file);
  expect(hasConversation(cwd, id)).toBe(true);
  expect(new Chat(id, cwd).messages).toHaveLength(2);
  vi.unstubAllEnvs();
});
