import { expect, test } from "vitest";
import { leaderCode, leaderName, LeaderKeys } from "./leader-keys.ts";

const leader = "\x18";

test.each<[string, readonly string[], string, boolean]>([
  ["keys pass", ["hello\x1b[A\x03\r"], "hello\x1b[A\x03\r", false],
  ["bytes pass", ["\xff\x80\x00"], "\xff\x80\x00", false],
  ["leader and d", [`ab${leader}dcd`], "ab", true],
  ["in two pieces", [leader, "d"], "", true],
  ["a capital", [leader, "D"], "", true],
  ["leader twice sends it once", [leader, leader, "d"], `${leader}d`, false],
  ["another key takes the leader along", [leader, "x"], `${leader}x`, false],
  ["the leader waits", [`a${leader}`], "a", false],
  ["kitty", ["\x1b[120;5u", "d"], "", true],
  ["kitty with releases and an encoded d", ["\x1b[120;5u\x1b[120;5:3u", "\x1b[100;1:1u"], "", true],
  ["kitty with Caps Lock", ["\x1b[120;69u", "\x1b[100;65u"], "", true],
  ["xterm's modifyOtherKeys", ["\x1b[27;5;120~", "d"], "", true],
  ["Alt is another key", ["\x1b[120;7u", "d"], "\x1b[120;7ud", false],
  ["Ctrl+D after the leader is another key", [leader, "\x04"], `${leader}\x04`, false],
  ["a plain x", ["\x1b[120u", "d"], "\x1b[120ud", false],
])("%s", (_, typed, send, detach) => {
  const keys = new LeaderKeys(leaderCode());
  const results = typed.map((piece) => keys.push(piece));
  expect(results.map((result) => result.send).join("")).toBe(send);
  expect(results.some((result) => result.detach)).toBe(detach);
});

test("supports another leader", () => {
  expect(leaderCode("Ctrl+B")).toBe(2);
  expect(leaderName(leaderCode("ctrl+b"))).toBe("Ctrl+B");
  expect(new LeaderKeys(2).push("\x18d\x02d")).toEqual({ send: "\x18d", detach: true });
});
