import { expect, test } from "vitest";
import { leaderCode, leaderName, LeaderKeys } from "./leader-keys.ts";

const leader = "\x18";

test.each<[string, readonly string[], string, boolean]>([
  ["passes keys through", ["hello\x1b[A\x03\r"], "hello\x1b[A\x03\r", false],
  ["passes bytes through", ["\xff\x80\x00"], "\xff\x80\x00", false],
  ["detaches on leader and d", [`ab${leader}dcd`], "ab", true],
  ["detaches when the keys arrive separately", [leader, "d"], "", true],
  ["detaches on a capital D", [leader, "D"], "", true],
  ["sends the leader once when pressed twice", [leader, leader, "d"], `${leader}d`, false],
  ["sends the leader with any other key", [leader, "x"], `${leader}x`, false],
  ["holds the leader until the next key", [`a${leader}`], "a", false],
  ["reads the kitty protocol", ["\x1b[120;5u", "d"], "", true],
  ["reads kitty key releases and an encoded d", ["\x1b[120;5u\x1b[120;5:3u", "\x1b[100;1:1u"], "", true],
  ["reads kitty keys with Caps Lock", ["\x1b[120;69u", "\x1b[100;65u"], "", true],
  ["reads xterm's modifyOtherKeys", ["\x1b[27;5;120~", "d"], "", true],
  ["treats Alt with the leader as another key", ["\x1b[120;7u", "d"], "\x1b[120;7ud", false],
  ["treats Ctrl+D after the leader as another key", [leader, "\x04"], `${leader}\x04`, false],
  ["treats a plain x as another key", ["\x1b[120u", "d"], "\x1b[120ud", false],
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
