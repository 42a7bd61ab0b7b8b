/** With NO_COLOR, no colour code is written, whatever a person opens. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTui, type TuiOptions } from "../../../test/support/tui.ts";

/** The parameters of SGR sequences that set a colour: 30 to 49 and 90 to 107. */
function coloursIn(written: string): readonly string[] {
  const codes = [...written.matchAll(/\x1b\[([\d;:]*)m/g)].flatMap(([, list = ""]) => list.split(";"));
  return [...new Set(codes.filter((code) => /^(?:[34]\d|9\d|10\d)(?::|$)/.test(code)))];
}

async function wholeRun(options: TuiOptions): Promise<string> {
  const tui = openTui({
    ...options,
    ...{ columns: 120, rows: 40, keep: true },
    prepare: (cwd) => writeFileSync(join(cwd, "door.ts"), "export const door = 1;"),
  });
  await tui.shows("No coding agent is ready");
  tui.send("think first; say **bold** `code` [link](https://example.org); write door.ts export const door = 'blue';");
  await tui.shows("y Allow once");
  tui.type("y");
  await tui.shows("Worked");
  tui.send("fail overloaded");
  await tui.shows("✗ failed");
  tui.type(keys.ctrl("t"));
  await tui.shows("bold");
  tui.send("/status");
  await tui.shows("Demo Status");
  for (const [command, words] of [
    ["/sessions", "on the screen"],
    ["/diff", "─ Changes"],
  ] as const) {
    tui.send(command);
    await tui.shows(words);
    tui.type(keys.escape);
    await tui.hides(words);
  }
  tui.send("/inline");
  await expect.poll(() => tui.port.terminal.buffer.active.type).toBe("normal");
  tui.send("say inline now");
  await tui.shows(/^inline now/m);
  tui.send("/full");
  await expect.poll(() => tui.port.terminal.buffer.active.type).toBe("alternate");
  tui.send("/quit");
  await tui.ended;
  return tui.port.log.join("");
}

test("writes no colour code with NO_COLOR in a whole run, and some without it", async () => {
  expect(coloursIn(await wholeRun({ env: { NO_COLOR: "1" } }))).toEqual([]);
  expect(coloursIn(await wholeRun({}))).toEqual(expect.arrayContaining(["38", "39", "48", "49"]));
});
