/** Notifications: once for a person who looks elsewhere, none for a person who looks at the terminal. */
import { expect, test } from "vitest";
import { keys, openTui, type Tui, type TuiOptions } from "../../../test/support/tui.ts";

const focus = { in: "\x1b[I", out: "\x1b[O" } as const;
const titles = /\x1b\]2;([^\x1b]*)\x1b\\/g;

/** The output without frames and titles: a frame has no notification, and the string terminator of a title is no bell. */
function written({ port }: Tui): string {
  return port.log
    .join("")
    .replaceAll(/\x1b\[\?2026h[^]*?\x1b\[\?2026l/g, "")
    .replaceAll(titles, "");
}

function titlesOf({ port }: Tui): readonly (string | undefined)[] {
  return [...port.log.join("").matchAll(titles)].map(([, title]) => title);
}

function notificationsOf(tui: Tui): readonly string[] {
  const one = /\x1bPtmux;(?:\x1b\x1b|[^\x1b])*\x1b\\|(?:\x1b\]99;[^\x1b]*\x1b\\){2}|\x1b\](?:9|777);[^\x07]*\x07|\x07/g;
  return written(tui).match(one) ?? [];
}

/** Runs a turn that asks, is answered, and ends. */
async function askedAndEnded(looks: string, options: TuiOptions = {}): Promise<Tui> {
  const tui = openTui(options);
  await tui.shows("What should the agent do?");
  tui.type(looks);
  tui.send("write a.txt hello");
  await tui.shows("y Allow once");
  tui.type("y");
  await tui.shows("Worked");
  await expect.poll(() => titlesOf(tui).at(-1)).toBe("write a.txt hello · Reins");
  return tui;
}

const [name, waits, ended] = ["write a.txt hello", "Waiting for your answer", "Finished"];
const osc9 = [`\x1b]9;${name}: ${waits}\x07`, `\x1b]9;${name}: ${ended}\x07`];
const inTmux = (sequence: string): string => `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
const osc99 = [waits, ended].map((body) => `\x1b]99;i=reins:d=0;${name}\x1b\\\x1b]99;i=reins:p=body;${body}\x1b\\`);

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ["WezTerm", { TERM_PROGRAM: "WezTerm" }, osc9],
  ["iTerm2 in tmux", { TERM_PROGRAM: "tmux", LC_TERMINAL: "iTerm2", TMUX: "/tmp/tmux,1,0" }, osc9.map(inTmux)],
  ["kitty", { TERM: "xterm-kitty", TERM_PROGRAM: "" }, osc99],
  ["foot", { TERM: "foot", TERM_PROGRAM: "" }, [waits, ended].map((body) => `\x1b]777;notify;${name};${body}\x07`)],
  ["another terminal", {}, ["\x07", "\x07"]],
])(
  "not focused, notifies with %s once for a request and once for the end of the turn",
  async (_terminal, env, expected) => {
    const tui = await askedAndEnded(focus.out, { env });
    expect(notificationsOf(tui)).toEqual(expected);
  },
);

test("focused, sends no notification, but the title names the waiting session", async () => {
  const tui = await askedAndEnded(focus.out + focus.in);
  expect(notificationsOf(tui)).toEqual([]);
  expect(written(tui)).not.toMatch(/\x1b\](?:9|99|777);/);
  expect(titlesOf(tui)).toEqual([`● ${name} waits`, `${name} · Reins`]);
});

test("shows in the title that a session waits only until it is answered", async () => {
  const tui = openTui();
  tui.send("write a.txt hello; sleep 600000");
  await tui.shows("y Allow once");
  expect(titlesOf(tui)).toEqual(["● write a.txt hello; sleep 600000 waits"]);
  tui.type("y");
  await expect.poll(() => titlesOf(tui).at(-1)).toBe("write a.txt hello; sleep 600000 · Reins");
  await tui.shows("Esc Esc stops");
});

test("does not mark a session as waiting for an action that is allowed without asking", async () => {
  const tui = openTui({ first: { agent: "demo", mode: "edits" } });
  await tui.shows("What should the agent do?");
  tui.type(focus.out);
  tui.send("write a.txt hello");
  await tui.shows("Worked");
  await expect.poll(() => notificationsOf(tui)).toHaveLength(1);
  expect(titlesOf(tui)).toEqual([`${name} · Reins`]);
});

test("keeps the title on the other screen, and names another session that waits", async () => {
  const tui = openTui();
  tui.send("write a.txt hello");
  await tui.shows("y Allow once");
  tui.type(`${keys.ctrl("x")}n`);
  await tui.shows("1 waiting elsewhere");
  tui.type(focus.out);
  tui.send("say hi");
  await expect.poll(() => notificationsOf(tui)).toHaveLength(1);
  expect(titlesOf(tui)).toEqual([`● ${name} waits`]);
  tui.send("/inline");
  await expect.poll(() => titlesOf(tui)).toEqual([`● ${name} waits`, `● ${name} waits`]);
});
